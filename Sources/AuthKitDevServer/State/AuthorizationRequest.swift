import AuthKitCore

/// A checked authorization request.
struct AuthorizationRequest: Sendable {
    /// How the answer goes back.
    enum ResponseMode: String, Sendable {
        case query
        case formPost = "form_post"
    }

    var clientID: String
    var redirectURI: String
    var responseMode: ResponseMode
    var state: String?
    var nonce: String?
    var scope: Scope
    var challenge: String
    var resources: [String]
    var prompts: Set<String>
    var loginHint: String?
    var idTokenHint: String?
    var maxAge: Int64?
}
