import AuthKitCore
import AuthKitTesting

/// One credential with an issuer, a store and a clock of its own; every `session()` stands for another process.
struct SessionRig: Sendable {
    static let key = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    let id = CredentialID(provider: ProviderKind("memory"), issuer: "https://issuer.example", client: "c", slot: "work")
    let time = ManualTime()
    let issuer: MemoryIssuer
    let store: any TokenStore

    init(lifetime: Duration = .seconds(3600), store: (any TokenStore)? = nil) {
        issuer = MemoryIssuer(lifetime: lifetime)
        self.store = store ?? InMemoryStore()
    }

    func vault() async throws -> Vault {
        try await Vault.open(store, keySource: EnvironmentKey(name: "k") { _ in Self.key })
    }

    func provider(_ fates: [MemoryProvider.Fate] = []) -> MemoryProvider {
        MemoryProvider(issuer: issuer, fates: fates)
    }

    func session(
        _ provider: MemoryProvider? = nil,
        vault: Vault? = nil,
        saveWindow: SaveWindow = SaveWindow(),
        options: SessionOptions = SessionOptions()
    ) async throws -> Session {
        let vault = if let vault { vault } else { try await self.vault() }
        return Session(
            id,
            provider: provider ?? self.provider(),
            vault: vault,
            time: time,
            saveWindow: saveWindow,
            options: options
        )
    }

    /// Signs in, and lets the access token end.
    func signInAndExpire() async throws {
        _ = try await session().signIn(through: NoAgent())
        time.advance(by: issuer.lifetime)
    }

    /// Moves the clock on whenever somebody sleeps on it, until the task is cancelled.
    func pump() async {
        while true {
            await time.waitForSleepers(1)
            if Task.isCancelled { return }
            if let next = time.remainingSleeps.first { time.advance(by: next) }
            await Task.yield()
        }
    }

    /// What is stored now.
    func stored() async throws -> StoredCredential? {
        try await vault().load(id)?.credential
    }
}

/// The code of the session error that a piece of work throws; nil when it throws none.
func sessionCode(_ work: () async throws -> some Any) async -> SessionError.Code? {
    do {
        _ = try await work()
        return nil
    } catch let error as SessionError {
        return error.reason
    } catch {
        return nil
    }
}
