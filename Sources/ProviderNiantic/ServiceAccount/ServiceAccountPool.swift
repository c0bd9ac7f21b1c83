public import AuthKitCore

/// The service accounts of a back end: one token for each key, however many tenants, requests and tasks want it.
///
/// Several accounts may belong to a tenant. Accounts with the same key at the same service share one token and one
/// exchange; other keys share nothing.
public actor ServiceAccountPool {
    private struct Name: Hashable {
        let tenant: String
        let account: String
    }

    private let configuration: NianticConfiguration
    private let transport: any HTTPTransport
    private let vault: Vault
    private let time: any TimeSource
    private var sessions: [Name: Session] = [:]

    /// Makes an empty pool; tokens are kept in the vault, which may be in memory.
    public init(
        configuration: NianticConfiguration = NianticConfiguration(),
        transport: any HTTPTransport,
        vault: Vault,
        time: any TimeSource = SystemTime()
    ) {
        self.configuration = configuration
        self.transport = transport
        self.vault = vault
        self.time = time
    }

    /// Adds an account, or replaces that of the same name; its key is read, to find out which others have the same.
    ///
    /// Throws `api_key_unusable` naming the file, or `invalid_configuration`.
    public func add(_ account: ServiceAccount) throws {
        let key = try account.file.key()
        let provider = try ServiceAccountProvider(account, configuration: configuration, transport: transport)
        // What is asked for beside the key makes another token.
        let slot = account.source(key)
        let name = Name(tenant: account.tenant, account: account.name)
        // Sessions over one credential and vault share what is held and the renewals under way.
        sessions[name] = Session(provider.credentialID(slot: slot), provider: provider, vault: vault, time: time)
    }

    /// Removes an account, such as one whose key is revoked; whether it was there.
    ///
    /// What is stored of its key stays in the vault, where others may have the same; sign it out before for good.
    @discardableResult
    public func remove(_ account: String, tenant: String = "") -> Bool {
        sessions.removeValue(forKey: Name(tenant: tenant, account: account)) != nil
    }

    /// The names of a tenant's accounts, in order.
    public func accounts(of tenant: String = "") -> [String] {
        sessions.keys.filter { $0.tenant == tenant }.map(\.account).sorted()
    }

    /// An access token of an account that lives for a duration more, a minute by default.
    ///
    /// Throws `invalid_configuration` for an account that was not added, and what the exchange throws.
    public func token(
        of account: String,
        tenant: String = "",
        validFor: Duration = .seconds(60)
    ) async throws -> IssuedToken {
        try await session(of: account, tenant: tenant).token(validFor: validFor)
    }

    /// The session of an account, such as for a scheduler.
    public func session(of account: String, tenant: String = "") throws -> Session {
        guard let session = sessions[Name(tenant: tenant, account: account)] else {
            throw NianticError.configuration(
                "There is no service account \"\(account)\" of the tenant \"\(tenant)\"; add it first."
            )
        }
        return session
    }
}
