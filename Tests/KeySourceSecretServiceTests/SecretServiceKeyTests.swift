import AuthKitCore
import Glibc
import Testing

@testable import KeySourceSecretService

@Suite(.serialized, .timeLimit(.minutes(2))) struct SecretServiceKeyTests {
    private let source = SecretServiceKey(limit: .seconds(20)) { name in
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    private func refusal(_ source: SecretServiceKey) async -> VaultError? {
        do {
            _ = try await source.makeParameters()
            return nil
        } catch {
            return error as? VaultError
        }
    }

    @Test func `without the library it is told which package to install`() async {
        let error = await refusal(SecretServiceKey(library: "libnone.so.7", limit: .seconds(1)) { _ in "unix:path=/" })
        #expect(error?.code == .keyUnavailable)
        #expect(error?.detail.contains("libnone.so.7 is missing; install the package libsecret-1-0") == true)
    }

    @Test func `a library without the functions is refused as well`() async {
        let error = await refusal(SecretServiceKey(library: "libc.so.6", limit: .seconds(1)) { _ in "unix:path=/" })
        #expect(error?.code == .keyUnavailable)
        #expect(error?.detail.contains("secret_password_lookup_nonpageable_sync is missing") == true)
    }

    @Test(arguments: [[:], ["DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": "/nowhere"]])
    func `without a session bus it names the alternative, and opens nothing`(_ variables: [String: String]) async {
        let error = await refusal(SecretServiceKey(library: "libnone.so.7", limit: .seconds(1)) { variables[$0] })
        #expect(error?.code == .keyUnavailable)
        #expect(error?.detail.contains("no session bus") == true)
        #expect(error?.detail.contains("keyfile:PATH") == true)
    }

    @Test func `a header that names no item is refused`() async {
        let error = await #expect(throws: VaultError.self) { _ = try await source.wrappingKey(for: [:]) }
        #expect(error?.code == .tampered)
    }

    @Test(.enabled(if: PrivateKeyring.isTested, "\(PrivateKeyring.obstacle ?? "")"))
    func `a key is kept in the keyring, opens the store again, and is not to be had while it is locked`() async throws {
        let keyring = try PrivateKeyring.start()
        let store = InMemoryStore()
        let id = CredentialID(provider: .oidc, issuer: "https://i.example", client: "c", slot: "work")
        let vault = try await Vault.open(store, keySource: source)
        try await vault.save(StoredCredential(id: id, incarnation: try .draw(), state: .signedIn), replacing: nil)
        let again = try await Vault.open(store, keySource: source)
        #expect(try await again.load(id) != nil)

        // Another store has another item.
        let other = try await source.makeParameters()
        let first = try await source.wrappingKey(for: other)
        let second = try await source.wrappingKey(for: try await source.makeParameters())
        let isSame = first.isEqual(to: second)
        #expect(!isSame)
        let missing = await #expect(throws: VaultError.self) { _ = try await source.wrappingKey(for: ["item": "none"]) }
        #expect(missing?.code == .keyUnavailable)

        try keyring.lock()
        let locked = await #expect(throws: VaultError.self) { _ = try await source.wrappingKey(for: other) }
        #expect(locked?.code == .keyUnavailable)
        #expect(locked?.detail.contains("unlock") == true)
        #expect(await refusal(source)?.code == .keyUnavailable)
        // Whoever has the store open goes on.
        #expect(try await vault.load(id) != nil)
        withExtendedLifetime(keyring) {}
    }
}
