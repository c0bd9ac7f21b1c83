/// What a provider is given for a renewal: time, a deadline, and the two durable steps it may take under the lease.
public struct RenewalContext: Sendable {
    /// Time and deadline.
    public let base: ProviderContext
    private let intend: @Sendable (Secret) async throws -> Int
    private let keep: @Sendable (StoredCredential) async throws -> Void

    /// Makes a context; `intend` and `keep` are what `willSendOneTime` and `commit` do.
    public init(
        base: ProviderContext,
        willSendOneTime intend: @escaping @Sendable (Secret) async throws -> Int,
        commit keep: @escaping @Sendable (StoredCredential) async throws -> Void
    ) {
        self.base = base
        self.intend = intend
        self.keep = keep
    }

    /// Writes down, durably, that a token which may work only once is about to be sent.
    ///
    /// Returns how many times this same token was sent before without an answer being kept. Throws when the record
    /// cannot be written, when the token was sent twice already, or when a sign-out or sign-in won meanwhile: then
    /// nothing may be sent.
    @discardableResult
    public func willSendOneTime(_ token: Secret) async throws -> Int {
        try await intend(token)
    }

    /// Keeps an intermediate state, durably, before the next step of a renewal that has several.
    public func commit(_ credential: StoredCredential) async throws {
        try await keep(credential)
    }
}
