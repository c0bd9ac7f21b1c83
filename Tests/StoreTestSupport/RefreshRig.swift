package import AuthKitCore
package import AuthKitTesting

/// One credential on a store that a test can break; every `session()` stands for another process.
package struct RefreshRig: Sendable {
    package let issuer: RotatingIssuer
    package let time = ManualTime()
    private let store: any TokenStore
    private let id = CredentialID(provider: ProviderKind("rotating"), issuer: "https://i", client: "c", slot: "s")

    /// Stores a first refresh token.
    package init(_ store: any TokenStore, issuer: RotatingIssuer = RotatingIssuer()) async throws {
        self.store = store
        self.issuer = issuer
        var credential = StoredCredential(id: id, incarnation: try .draw(), state: .signedIn)
        credential.refreshToken = HeldToken(Secret("refresh-1"))
        try await vault().save(credential, replacing: nil)
    }

    /// A session of a process that has just begun, on the rig's store or another one on the same files.
    package func session(
        _ saveFailure: SessionOptions.SaveFailure = .serveUnsaved,
        on other: (any TokenStore)? = nil
    ) async throws -> Session {
        var options = SessionOptions()
        options.saveFailure = saveFailure
        return Session(id, provider: issuer, vault: try await vault(other), time: time, options: options)
    }

    /// The refresh token that is stored.
    package func storedToken(on other: (any TokenStore)? = nil) async throws -> String? {
        try await vault(other).load(id)?.credential.refreshToken?.value.reveal()
    }

    /// Moves the clock on whenever somebody sleeps on it, until the work has ended.
    package func run<Value>(_ work: () async throws -> Value) async rethrows -> Value {
        let pump = Task { [time] in
            while true {
                await time.waitForSleepers(1)
                if Task.isCancelled { return }
                if let next = time.remainingSleeps.first { time.advance(by: next) }
            }
        }
        defer { pump.cancel() }
        return try await work()
    }

    private func vault(_ other: (any TokenStore)? = nil) async throws -> Vault {
        try await Vault.open(
            other ?? store,
            keySource: EnvironmentKey(name: "k") { _ in "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }
        )
    }
}
