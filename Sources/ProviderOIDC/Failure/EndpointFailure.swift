internal import AuthKitCore

/// Turns an endpoint's unhappy answer into an error: status and media type first, then the OAuth fields.
struct EndpointFailure: Sendable {
    /// What kind of token was sent, which decides what a bare refusal means.
    enum Call: Sendable, Hashable {
        /// A code is exchanged.
        case code
        /// A refresh token is exchanged.
        case refresh
        /// A token is revoked.
        case revocation
    }

    /// What was sent.
    let call: Call
    /// How the endpoint is called in sentences.
    let place: String
    /// What no error may contain.
    let secrets: [Secret]
    /// What the issuer says of client authentication, for advice.
    var authenticationMethods: [String]?

    /// The error of an answer that is no success.
    func error(for response: HTTPResponse) -> OIDCError {
        if let body = oauthError(in: response) { return error(for: body, response) }
        let status = response.status
        if Self.isTransient(status) { return unavailable(response, body: nil) }
        if (300..<400).contains(status) {
            return failure(
                .malformedAnswer,
                "The \(place) at \(response.url) redirects, which is not followed with a credential; "
                    + "configure the address it has moved to.",
                .fixConfiguration,
                .answeredUnclear
            )
        }
        if status == 404 || status == 405 || status == 410 {
            return failure(
                .missingEndpoint,
                "There is no \(place) at \(response.url) (status \(status)); check the configured addresses.",
                .fixConfiguration,
                .answered
            )
        }
        if response.body.isEmpty, call == .refresh, status == 400 {
            return failure(
                .refreshRefused,
                "The issuer refused the refresh token; sign in again.",
                .signInAgain,
                .answered
            )
        }
        if response.body.isEmpty, status == 401 {
            return failure(
                .clientRefused,
                Self.clientAdvice("status 401", authenticationMethods),
                .fixConfiguration,
                .answered
            )
        }
        if !response.body.isEmpty, !response.isJSON {
            // A page from something in between: it says nothing of what the issuer would have done.
            return failure(
                .unavailable,
                "The \(place) answered with status \(status) and a page instead of JSON; "
                    + "check the address and what is between you and the issuer, then try again.",
                .retry(after: RetryAfter.duration(in: response)),
                .answeredUnclear
            )
        }
        return failure(
            .tokenRefused,
            "The \(place) refused the request with status \(status) and no reason; check the client's settings.",
            .fixConfiguration,
            .answered
        )
    }

    /// Whether a status says "not now".
    static func isTransient(_ status: Int) -> Bool {
        status == 408 || status == 425 || status == 429 || status >= 500
    }

    /// The OAuth fields of an answer, whatever its status (RFC 6749 §5.2), without what was sent.
    func oauthError(in response: HTTPResponse) -> OAuthErrorBody? {
        guard response.isJSON, let object = JSONObject.reading(response.body), let error = object.text("error"),
            !error.isEmpty
        else { return nil }
        return OAuthErrorBody(
            error: scrubbed(error),
            description: object.text("error_description").map(scrubbed),
            uri: object.text("error_uri").map(scrubbed)
        )
    }

    private func scrubbed(_ text: String) -> String {
        let echoes = secrets.contains { secret in
            let value = secret.reveal()
            return !value.isEmpty
                && (text.contains(value) || text.contains(FormEncoding.encode(value))
                    || text.contains(PercentEncoding.encode(value)))
        }
        return echoes ? "(withheld: it repeats a secret)" : text
    }

    private func error(for body: OAuthErrorBody, _ response: HTTPResponse) -> OIDCError {
        let words = body.description.map { " (\($0))" } ?? ""
        switch body.error {
        // RFC 6749 §5.2, and what several issuers write instead.
        case "invalid_grant", "invalid_code", "bad_verification_code", "bad_refresh_token", "invalid_refresh_token",
            "expired_token", "token_expired", "access_denied", "login_required", "interaction_required",
            "consent_required":
            let what = call == .refresh ? "the refresh token" : "the code"
            return failure(
                call == .refresh ? .refreshRefused : .tokenRefused,
                "The issuer refused \(what): \(body.error)\(words); sign in again.",
                .signInAgain,
                .answered,
                body
            )
        case "temporarily_unavailable", "slow_down", "server_error":
            return unavailable(response, body: body)
        case "invalid_client", "unauthorized_client":
            return failure(
                .clientRefused,
                Self.clientAdvice("\(body.error)\(words)", authenticationMethods),
                .fixConfiguration,
                .answered,
                body
            )
        default:
            if Self.isTransient(response.status) { return unavailable(response, body: body) }
            return failure(
                .tokenRefused,
                "The \(place) refused the request: \(body.error)\(words); check scope, audience and client.",
                .fixConfiguration,
                .answered,
                body
            )
        }
    }

    private static func clientAdvice(_ reason: String, _ methods: [String]?) -> String {
        let offer = methods.map { " (the issuer lists \($0.prefix(8).joined(separator: ", ")))" } ?? ""
        return "The issuer refused the client: \(reason); check client identifier and secret, or try another client "
            + "authentication such as client_secret_post\(offer)."
    }

    private func unavailable(_ response: HTTPResponse, body: OAuthErrorBody?) -> OIDCError {
        let reason = body.map { "\($0.error), status \(response.status)" } ?? "status \(response.status)"
        let wait = RetryAfter.duration(in: response)
        let advice = wait.map { "try again in \($0.components.seconds) s." } ?? "try again later."
        // A 5xx, or a server's own fault, says nothing of what became of the token; a 4xx was not acted upon.
        let isUnclear = response.status >= 500 || body?.error == "server_error"
        return failure(
            .unavailable,
            "The \(place) cannot answer now (\(reason)); \(advice)",
            .retry(after: wait),
            isUnclear ? .answeredUnclear : .answered,
            body
        )
    }

    private func failure(
        _ code: OIDCError.Code,
        _ detail: String,
        _ remedy: Remedy,
        _ delivery: Delivery,
        _ body: OAuthErrorBody? = nil
    ) -> OIDCError {
        OIDCError(code, detail, remedy: remedy, delivery: delivery, issuerError: body)
    }
}

extension HTTPResponse {
    /// Whether the media type is JSON; an answer without one may be.
    var isJSON: Bool {
        guard let mediaType else { return true }
        return mediaType == "application/json" || mediaType.hasSuffix("+json")
    }
}
