/// An error that says what to do about it and how far the request came.
///
/// Transports and providers throw these; a session decides by `remedy` and `delivery` alone. `description` is one
/// sentence for people, free of secrets.
public protocol ProviderFailure: Error, Sendable, CustomStringConvertible {
    /// A stable word for callers, tests and JSON errors.
    var code: String { get }
    /// What to do.
    var remedy: Remedy { get }
    /// How far the request came; nil when none was made.
    var delivery: Delivery? { get }
    /// The RFC 6749 error fields as the server sent them.
    var issuerError: OAuthErrorBody? { get }
}

extension ProviderFailure {
    /// None, unless the error keeps one.
    public var issuerError: OAuthErrorBody? { nil }
}
