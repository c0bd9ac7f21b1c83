/// What a transport does with a 3xx answer.
public enum RedirectPolicy: Sendable, Hashable {
    /// Hands the 3xx to the caller. The rule for token requests.
    case never
    /// Follows at most so many, within the same origin; one to another origin is handed to the caller.
    case sameOrigin(atMost: Int)
    /// Follows at most so many, to any `https` origin; only for requests that carry no credential, refused otherwise.
    case anyOrigin(atMost: Int)
}
