/// A refusal in the words of RFC 6749.
struct OAuthProblem: Error, Sendable {
    var code: String
    var detail: String
    var status: Int

    init(_ code: String, _ detail: String, status: Int = 400) {
        self.code = code
        self.detail = detail
        self.status = status
    }

    static func invalidRequest(_ detail: String) -> Self { Self("invalid_request", detail) }
    static func invalidGrant(_ detail: String) -> Self { Self("invalid_grant", detail) }
    static func invalidScope(_ detail: String) -> Self { Self("invalid_scope", detail) }
    static func invalidClient(_ detail: String) -> Self { Self("invalid_client", detail, status: 401) }
}
