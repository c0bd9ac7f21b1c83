/// What a session, scheduler and worker need to know of a provider.
public struct ProviderTraits: Sendable, Hashable {
    /// When tokens are renewed.
    public var refresh: RefreshPolicy
    /// Whether renewal calls back into the app, so that a worker without the app must skip the credential.
    public var needsCallback: Bool
    /// Whether a person has to sign in first; false for client credentials and the like.
    public var needsSignIn: Bool

    /// Makes traits.
    public init(refresh: RefreshPolicy = .init(), needsCallback: Bool = false, needsSignIn: Bool = true) {
        self.refresh = refresh
        self.needsCallback = needsCallback
        self.needsSignIn = needsSignIn
    }
}
