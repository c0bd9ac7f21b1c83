@testable import AuthKitCore
import AuthKitTesting
import Foundation
import Testing

@Suite struct PassphraseFileTests {
    private func write(_ text: String, _ path: String, mode: Int = 0o600) {
        let attributes = [FileAttributeKey.posixPermissions: mode]
        #expect(FileManager.default.createFile(atPath: path, contents: Data(text.utf8), attributes: attributes))
    }

    @Test(arguments: ["correct horse\n", "correct horse\r\n", "correct horse"])
    func `it opens what the passphrase has sealed, without its line end`(_ text: String) async throws {
        try await withPlace { place in
            write(text, "\(place)/pass")
            let store = InMemoryStore()
            let typed = Passphrase(insecureCost: 1024) { SecretBytes(copying: Array("correct horse".utf8)) }
            _ = try await Vault.open(store, keySource: typed)
            let source = PassphraseFile(path: "\(place)/pass", insecureCost: 1024)
            #expect(try await Vault.open(store, keySource: source).listing().summaries.isEmpty)
            let other = InMemoryStore()
            _ = try await Vault.open(other, keySource: source)
            #expect(try await Vault.open(other, keySource: typed).listing().summaries.isEmpty)
        }
    }

    @Test func `one line end is taken off and no more`() async throws {
        try await withPlace { place in
            write("correct horse\n\n", "\(place)/pass")
            let store = InMemoryStore()
            let typed = Passphrase(insecureCost: 1024) { SecretBytes(copying: Array("correct horse".utf8)) }
            _ = try await Vault.open(store, keySource: typed)
            let source = PassphraseFile(path: "\(place)/pass", insecureCost: 1024)
            #expect(await vaultCode { try await Vault.open(store, keySource: source) } == .wrongKey)
        }
    }

    @Test func `a file that is missing, empty, loose or too large is refused`() async throws {
        try await withPlace { place in
            let code = { (path: String) in
                await vaultCode {
                    try await Vault.open(InMemoryStore(), keySource: PassphraseFile(path: path, insecureCost: 1024))
                }
            }
            #expect(await code("\(place)/none") == .keyUnavailable)
            for text in ["", "\n", "\r\n"] {
                write(text, "\(place)/empty")
                #expect(await code("\(place)/empty") == .keyUnavailable)
            }
            write("pass", "\(place)/loose", mode: 0o644)
            write(String(repeating: "p", count: 4097), "\(place)/large")
            #expect(await code("\(place)/large") == .keyUnavailable)
            let loose = PassphraseFile(path: "\(place)/loose", insecureCost: 1024)
            #expect(await storeCode { try await Vault.open(InMemoryStore(), keySource: loose) } == .loosePermissions)
        }
    }
}
