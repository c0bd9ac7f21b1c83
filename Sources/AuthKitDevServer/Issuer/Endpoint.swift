/// Where an issuer listens, below its path.
enum Endpoint: String, CaseIterable, Sendable {
    case discovery = "/.well-known/openid-configuration"
    case authorize = "/authorize"
    case decision = "/authorize/decision"
    case token = "/token"
    case jwks = "/jwks"
    case userinfo = "/userinfo"
    case introspect = "/introspect"
    case revoke = "/revoke"
    case endSession = "/end-session"
    case identity = "/oauth/token"
    case nianticSignIn = "/signin"
    case nianticDecision = "/signin/decision"
    case nianticSignOut = "/signout"
    case backend = "/api/access-token"
    case index = "/dev"
    case statistics = "/dev/stats"
    case faults = "/dev/faults"
    case rotateKeys = "/dev/rotate-keys"

    /// RFC 8414 §3: this stands before the issuer's path, not behind it.
    static let serverMetadata = "/.well-known/oauth-authorization-server"

    /// The methods it answers.
    var methods: [String] {
        switch self {
        case .discovery, .jwks, .index, .statistics, .nianticSignIn, .nianticSignOut: ["GET"]
        case .authorize, .userinfo, .endSession, .backend: ["GET", "POST"]
        case .decision, .token, .introspect, .revoke, .rotateKeys, .identity, .nianticDecision: ["POST"]
        case .faults: ["GET", "POST", "DELETE"]
        }
    }

    /// Its name in statistics.
    var name: String {
        switch self {
        case .discovery: "discovery"
        case .endSession: "end-session"
        default: String(rawValue.dropFirst())
        }
    }
}
