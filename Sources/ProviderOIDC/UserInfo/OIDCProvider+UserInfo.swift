public import AuthKitCore

extension OIDCProvider {
    /// Reads the claims about the person (OpenID Connect Core §5.3), checked to be about the one signed in.
    ///
    /// The token goes in the header only and never to a redirect. Throws `access_rejected` with `rejected` set for a
    /// 401 (renew and try once more), `wrong_subject` when `sub` is missing or another's. `held` gives the address
    /// without discovery.
    public func userInfo(
        access: Secret,
        expectedSubject: String,
        held: StoredCredential? = nil,
        in context: ProviderContext
    ) async throws -> JSONObject {
        let metadata = try await metadata(held: held, in: context)
        let url = try metadata.url(\.userInfo, named: "userinfo_endpoint")
        var request = HTTPRequest("GET", url, fields: [HTTPField("Accept", "application/json")])
        request.fields.append(HTTPField("Authorization", secret: Secret("Bearer \(access.reveal())")))
        request.deadline = limit(in: context)
        request.idleDeadline = min(request.idleDeadline, request.deadline)
        request.mayResend = true
        request.redirects = .never
        request.tls = configuration.tls
        let response = try await transport.send(request)
        guard response.status == 200 else { throw Self.userInfoFailure(response, access) }
        guard response.mediaType != "application/jwt" else {
            throw OIDCError(
                .unsupported,
                "UserInfo came as application/jwt, which is not supported; "
                    + "register the client without userinfo_signed_response_alg.",
                remedy: .fixConfiguration,
                delivery: .answered
            )
        }
        guard response.isJSON, let object = JSONObject.reading(response.body) else {
            throw OIDCError(
                .malformedAnswer,
                "What the userinfo endpoint answered is no JSON object; check the address.",
                remedy: .fixConfiguration,
                delivery: .answered
            )
        }
        // OpenID Connect Core §5.3.2: the same `sub` as in the ID token, or nothing may be used.
        let isSame = object.text("sub").map { $0.hasSameBytes(as: expectedSubject) && !$0.isEmpty } ?? false
        Trace.check("sub of UserInfo", passed: isSame, clause: "OpenID Core §5.3.2")
        guard isSame else {
            throw OIDCError(
                .wrongSubject,
                "UserInfo is not about the person who is signed in, so nothing of it is used; ask the issuer.",
                remedy: .fixConfiguration,
                delivery: .answered
            )
        }
        return object
    }

    private static func userInfoFailure(_ response: HTTPResponse, _ access: Secret) -> OIDCError {
        if response.status == 401 {
            return OIDCError(
                .accessRejected,
                "The userinfo endpoint refused the access token; refresh it, or sign in again.",
                remedy: .signInAgain,
                delivery: .answered,
                rejected: TokenFingerprint(of: access)
            )
        }
        if EndpointFailure.isTransient(response.status) {
            return OIDCError(
                .unavailable,
                "The userinfo endpoint cannot answer now (status \(response.status)); try again later.",
                remedy: .retry(after: RetryAfter.duration(in: response)),
                delivery: response.status >= 500 ? .answeredUnclear : .answered
            )
        }
        return OIDCError(
            .tokenRefused,
            "The userinfo endpoint answered with status \(response.status); check its address and the scope.",
            remedy: .fixConfiguration,
            delivery: .answered
        )
    }
}
