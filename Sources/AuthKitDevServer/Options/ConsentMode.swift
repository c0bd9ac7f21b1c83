/// Who answers at the authorization endpoint.
public enum ConsentMode: String, Sendable, Hashable, CaseIterable {
    /// Nobody is asked: the browser is sent back at once.
    case automatic = "auto"
    /// A page asks for a user and a decision.
    case page
}
