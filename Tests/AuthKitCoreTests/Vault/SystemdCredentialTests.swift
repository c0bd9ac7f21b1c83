@testable import AuthKitCore
import AuthKitTesting
import Foundation
import Testing

@Suite struct SystemdCredentialTests {
    private func write(_ text: String, _ path: String, mode: Int) {
        let attributes = [FileAttributeKey.posixPermissions: mode]
        #expect(FileManager.default.createFile(atPath: path, contents: Data(text.utf8), attributes: attributes))
    }

    private func source(_ name: String, in directory: String?) -> SystemdCredential {
        SystemdCredential(name: name) { $0 == "CREDENTIALS_DIRECTORY" ? directory : nil }
    }

    @Test(arguments: [0o400, 0o440, 0o600])
    func `it opens a store with the key in the credential directory`(_ mode: Int) async throws {
        try await withPlace { place in
            write(VaultTests.key + "\n", "\(place)/authkit.key", mode: mode)
            let store = InMemoryStore()
            let source = source("authkit.key", in: place)
            _ = try await Vault.open(store, keySource: source)
            #expect(try await Vault.open(store, keySource: source).listing().summaries.isEmpty)
            let header = try VaultHeader(try #require(await store.load(.header)))
            #expect(header.sourceKind == "systemd-credential")
            #expect(header.parameters.isEmpty)
        }
    }

    @Test(arguments: [
        "", ".", "..", "a/b", "/etc/passwd", "../key", "a b", "a\n", "é", String(repeating: "n", count: 256),
    ])
    func `a name that could lead elsewhere is refused`(_ name: String) async throws {
        try await withPlace { place in
            let source = source(name, in: place)
            let error = await #expect(throws: VaultError.self) { _ = try await source.makeParameters() }
            #expect(error?.code == .keyUnavailable)
            #expect(error?.detail.contains("plain file name") == true)
        }
    }

    @Test(arguments: [nil, "", "relative"] as [String?])
    func `outside of a service it is told in one sentence`(_ directory: String?) async throws {
        let source = source("key", in: directory)
        let error = await #expect(throws: VaultError.self) { _ = try await source.makeParameters() }
        #expect(error?.code == .keyUnavailable)
        #expect(error?.detail.contains("CREDENTIALS_DIRECTORY is not set") == true)
    }

    @Test func `a credential that is missing, no key, loose or no file is refused`() async throws {
        try await withPlace { place in
            #expect(await vaultCode { try await source("none", in: place).makeParameters() } == .keyUnavailable)
            #expect(
                await vaultCode { try await source("none", in: "\(place)/none").makeParameters() } == .keyUnavailable
            )
            write("AAAA", "\(place)/short", mode: 0o400)
            #expect(await vaultCode { try await source("short", in: place).makeParameters() } == .keyUnavailable)
            write(String(repeating: " ", count: 300), "\(place)/large", mode: 0o400)
            #expect(await vaultCode { try await source("large", in: place).makeParameters() } == .keyUnavailable)
            for mode in [0o404, 0o620, 0o604, 0o410] {
                let name = "loose-\(String(mode, radix: 8))"
                write(VaultTests.key, "\(place)/\(name)", mode: mode)
                #expect(await storeCode { try await source(name, in: place).makeParameters() } == .loosePermissions)
            }
            try FileManager.default.createSymbolicLink(atPath: "\(place)/link", withDestinationPath: "short")
            try FileManager.default.createDirectory(atPath: "\(place)/directory", withIntermediateDirectories: false)
            try #require(unsafe mkfifo("\(place)/pipe", 0o400) == 0)
            for name in ["link", "directory", "pipe"] {
                #expect(await vaultCode { try await source(name, in: place).makeParameters() } == .keyUnavailable)
            }
        }
    }
}
