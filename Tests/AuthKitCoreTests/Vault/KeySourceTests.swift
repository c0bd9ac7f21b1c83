import AuthKitTesting
import Foundation
import Glibc
import Testing

@testable import AuthKitCore

@Suite(.timeLimit(.minutes(1))) struct KeySourceTests {
    private func place<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let path = NSTemporaryDirectory() + "authkit-\(UUID().uuidString)"
        let mode = [FileAttributeKey.posixPermissions: 0o700]
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false, attributes: mode)
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try await body(path)
    }

    private func refusal(_ path: String) async -> StoreError? {
        do {
            _ = try await KeyFile(path: path).wrappingKey(for: [:])
            return nil
        } catch {
            return error as? StoreError
        }
    }

    /// What keeps a key from being had, at a first use and later.
    private func unavailable(_ path: String) async -> [VaultError.Code?] {
        let source = KeyFile(path: path)
        let first = await vaultCode { try await source.makeParameters() }
        let later = await vaultCode { _ = try await source.wrappingKey(for: [:]) }
        return [first, later]
    }

    private func write(_ text: String, _ path: String, mode: Int = 0o600) {
        let attributes = [FileAttributeKey.posixPermissions: mode]
        #expect(FileManager.default.createFile(atPath: path, contents: Data(text.utf8), attributes: attributes))
    }

    @Test func `a key file is made once, for its owner only, and read again`() async throws {
        try await place { place in
            let file = KeyFile(path: "\(place)/new/key")
            _ = try await file.makeParameters()
            let first = try await file.wrappingKey(for: [:])
            _ = try await file.makeParameters()
            let second = try await file.wrappingKey(for: [:])
            #expect(first.count == 32)
            let isSame = first.isEqual(to: second)
            #expect(isSame)
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(place)/new/key")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(attributes[.size] as? Int == 44)
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(place)/new") == ["key"])
        }
    }

    @Test func `sixteen first uses at once end with one key`() async throws {
        try await place { place in
            let keys = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        let file = KeyFile(path: "\(place)/key")
                        _ = try await file.makeParameters()
                        let key = try await file.wrappingKey(for: [:])
                        return unsafe key.withUnsafeBytes { unsafe Array($0) }
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(keys.count == 1)
        }
    }

    @Test func `a pipe, a link, a directory and a device are refused, and nobody is waited for`() async throws {
        try await place { place in
            try #require(unsafe mkfifo("\(place)/pipe", 0o600) == 0)
            write("", "\(place)/real")
            try FileManager.default.createSymbolicLink(atPath: "\(place)/link", withDestinationPath: "real")
            for path in ["\(place)/pipe", "\(place)/link", place, "/dev/null"] {
                #expect(await unavailable(path) == [.keyUnavailable, .keyUnavailable], "\(path)")
            }
        }
    }

    @Test func `a key that others can read is refused with the command that mends it`() async throws {
        try await place { place in
            let path = "\(place)/it's; mine"
            write(VaultTests.key, path, mode: 0o644)
            let error = await refusal(path)
            #expect(error?.code == .loosePermissions)
            #expect(error?.detail.hasSuffix("run: chmod 600 '\(place)/it'\\''s; mine'") == true)
            let lenient = try await KeyFile(path: path, insecureLooseModes: true).wrappingKey(for: [:])
            #expect(lenient.count == 32)
        }
    }

    @Test(arguments: [
        "", "AAAA", VaultTests.key + "A", VaultTests.key + "=", "\n", "B" + VaultTests.key.dropFirst(2) + "B",
    ])
    func `what is no key is refused and not repeated`(_ text: String) async throws {
        try await place { place in
            write(text, "\(place)/key")
            let source = KeyFile(path: "\(place)/key")
            let error = await #expect(throws: VaultError.self) { _ = try await source.wrappingKey(for: [:]) }
            #expect(error?.code == .keyUnavailable)
            #expect(error?.detail.contains("AAAA") == false)
        }
    }

    @Test func `a file that is too large is refused`() async throws {
        try await place { place in
            write(String(repeating: " ", count: 256 - 43) + VaultTests.key, "\(place)/full")
            #expect(await refusal("\(place)/full") == nil)
            write(String(repeating: " ", count: 257), "\(place)/large")
            #expect(await unavailable("\(place)/large") == [.keyUnavailable, .keyUnavailable])
        }
    }

    @Test(arguments: [VaultTests.key, VaultTests.key + "\n", " \t" + VaultTests.key + "\r\n"])
    func `text around a key is taken off`(_ text: String) async throws {
        let key = try await EnvironmentKey(name: "K") { _ in text }.wrappingKey(for: [:])
        let isZero = key.isEqual(to: SecretBytes(copying: [UInt8](repeating: 0, count: 32)))
        #expect(isZero)
    }

    @Test(arguments: [VaultTests.key, "AAAA", "not a key at all"])
    func `the text of a key is wiped, whether it is one or not`(_ text: String) throws {
        var bytes = Array(text.utf8)
        _ = try? EncodedKey.read(wiping: &bytes, from: "the test").count
        #expect(bytes == [UInt8](repeating: 0, count: text.utf8.count))
    }

    @Test func `a key is written as it is read`() throws {
        let key = try SecretBytes.random(count: 32)
        let isSame = try EncodedKey.read(EncodedKey.write(key), from: "the test").isEqual(to: key)
        #expect(isSame)
    }
}
