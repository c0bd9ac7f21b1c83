public import AuthKitCore

/// Checks a token's signature, for an app that knows the keys: Niantic publishes none.
///
/// Throws when the token is not to be used. It is asked for each session token from a callback, before anything is
/// sent, and for each access token, before anybody is given it.
public typealias TokenCheck = @Sendable (_ token: Secret, _ kind: CheckedTokenKind) async throws -> Void

/// What a token that is to be checked is.
public enum CheckedTokenKind: Sendable, Hashable {
    /// The session token, as the browser brought it.
    case session
    /// An NSDK access token.
    case access
}
