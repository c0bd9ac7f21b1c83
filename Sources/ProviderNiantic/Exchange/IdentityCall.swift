internal import AuthKitCore

/// One kind of request to the identity endpoint, and what a refusal of it means.
enum IdentityCall: Sendable, Hashable, CaseIterable {
    /// Step 1: the session token for its successor.
    case rotateSession
    /// Step 2: the session token for an NSDK refresh token.
    case makeRefreshToken
    /// Step 3: the NSDK refresh token for an NSDK access token.
    case makeAccessToken
    /// A service account's key for an NSDK access token.
    case exchangeKey

    /// The `grantType`.
    var grant: String {
        switch self {
        case .rotateSession: "refresh_user_session_access_token"
        case .makeRefreshToken: "exchange_build_refresh_token"
        case .makeAccessToken: "refresh_build_access_token"
        case .exchangeKey: "exchange_api_key_access_token"
        }
    }

    /// How the endpoint is called in sentences.
    var place: String { "identity endpoint" }

    /// What was sent, in words.
    var subject: String {
        switch self {
        case .rotateSession, .makeRefreshToken: "the session token"
        case .makeAccessToken: "the NSDK refresh token"
        case .exchangeKey: "the service account's key"
        }
    }

    /// The code of a refusal.
    var refusal: NianticError.Code {
        switch self {
        case .rotateSession, .makeRefreshToken: .sessionRefused
        case .makeAccessToken: .refreshRefused
        case .exchangeKey: .apiKeyRefused
        }
    }

    /// What a refusal asks for.
    var remedy: Remedy { self == .exchangeKey ? .fixConfiguration : .signInAgain }

    /// The same in words.
    var advice: String {
        self == .exchangeKey ? "put a key into its file that is not revoked" : "sign in again"
    }

    /// What a trace says of it.
    var note: String {
        switch self {
        case .rotateSession: "Step 1 of 3: \(grant) rotates the session token (Cookie, Set-Cookie)."
        case .makeRefreshToken: "Step 2 of 3: \(grant) makes an NSDK refresh token of the session token."
        case .makeAccessToken: "Step 3 of 3: \(grant) makes an NSDK access token of the NSDK refresh token."
        case .exchangeKey: "Service account: \(grant) makes an NSDK access token of the key."
        }
    }
}
