import AuthKitCore
import LoopbackHTTP

extension DevIssuer {
    /// The userinfo endpoint (OpenID Connect Core §5.3).
    func userinfo(_ request: ServerRequest, fault: FaultKind?) -> ServerResponse {
        let token: String
        switch bearer(request) {
        case .success(let found): token = found
        case .failure(let problem): return Self.challenge(problem)
        }
        guard let record = locked({ $0.liveAccessToken(token, at: options.time.now) }) else {
            return Self.challenge(
                OAuthProblem("invalid_token", "The access token is unknown, expired or revoked.", status: 401)
            )
        }
        guard record.scope.contains("openid") else {
            return Self.challenge(OAuthProblem("insufficient_scope", "The scope lacks openid.", status: 403))
        }
        let user = record.user
        let profile = record.scope.contains("profile")
        let email = record.scope.contains("email")
        let subject = fault == .wrongSubject ? user.subject + "-other" : user.subject
        return Self.uncached(
            JSONObject.make([
                ("sub", fault == .missingSubject ? nil : .string(subject)),
                ("name", profile ? .string(user.fullName) : nil),
                ("preferred_username", profile ? .string(user.name) : nil),
                ("email", email ? .string(user.email) : nil),
                ("email_verified", email ? .bool(true) : nil),
            ])
        )
    }

    /// A JSON answer that nobody may keep.
    static func uncached(_ object: JSONObject) -> ServerResponse {
        var response = ServerResponse.json(object.bytes)
        response.fields.append(HTTPField("Cache-Control", "no-store"))
        return response
    }

    /// RFC 6750 §2: in the header or in a posted form, not in both and never in the query.
    private func bearer(_ request: ServerRequest) -> Result<String, OAuthProblem> {
        let fields = request.fields.all(named: "Authorization")
        let posted = request.method == "POST" ? request.form()?.filter { $0.name == "access_token" }.map(\.value) : nil
        let found = fields + (posted ?? [])
        guard found.count <= 1 else {
            return .failure(.invalidRequest("The access token came in more than one way."))
        }
        guard let field = fields.first else {
            // RFC 6750 §3.1: a request without any credential is told no error code.
            return posted?.first.map { .success($0) } ?? .failure(OAuthProblem("", "", status: 401))
        }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            return .failure(OAuthProblem("", "", status: 401))
        }
        return .success(parts[1].trimmingSpaces())
    }

    /// RFC 6750 §3.
    private static func challenge(_ problem: OAuthProblem) -> ServerResponse {
        var value = "Bearer realm=\"dev issuer\""
        if !problem.code.isEmpty {
            value += ", error=\"\(problem.code)\", error_description=\"\(problem.detail)\""
        }
        if problem.code == "insufficient_scope" { value += ", scope=\"openid\"" }
        return ServerResponse(
            status: problem.status,
            fields: [HTTPField("WWW-Authenticate", value), HTTPField("Cache-Control", "no-store")]
        )
    }
}
