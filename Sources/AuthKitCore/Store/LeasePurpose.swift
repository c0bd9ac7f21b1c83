/// What a lease is taken for; each purpose has its own, so that a person at a browser blocks no refresh.
public enum LeasePurpose: Sendable, Hashable, CaseIterable {
    /// Renewing tokens.
    case refresh
    /// Signing in.
    case signIn
    /// Changing the store's keys; taken on the header.
    case maintenance
}
