internal import AuthKitCore

/// Turns an endpoint's unhappy answer into an error: "not now" first, then the OAuth fields, then the bare status.
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
        let status = response.status
        let body = oauthError(in: response)
        // Whatever the body says: an outage that answers invalid_grant signs nobody out.
        if Self.isTransient(status) { return unavailable(response, body: body) }
        if let body { return error(for: body, response) }
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
            // RFC 6749 §5.2: a refusal names its error. Glewlwyd answers a dead refresh token like this, but so does
            // many a filter on the way, and a login must not end by what may not be the issuer's word.
            return failure(
                .tokenRefused,
                "The \(place) refused the refresh without a reason (status 400); "
                    + "try again, and sign in again if it lasts.",
                .retry(after: RetryAfter.duration(in: response)),
                .answeredUnclear
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
            return page(response)
        }
        return failure(
            .tokenRefused,
            "The \(place) refused the request with status \(status) and no reason; check the client's settings.",
            .fixConfiguration,
            .answered
        )
    }

    /// The error of a page from something in between: it says nothing of what the issuer would have done.
    func page(_ response: HTTPResponse) -> OIDCError {
        failure(
            .unavailable,
            "The \(place) answered with status \(response.status) and a page instead of JSON; "
                + "check the address and what is between you and the issuer, then try again.",
            .retry(after: RetryAfter.duration(in: response)),
            .answeredUnclear
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
            description: object.text("error_description").map { scrubbed($0) },
            uri: object.text("error_uri").map { scrubbed($0) }
        )
    }

    /// A text that came, unless it repeats what was sent or one of these tokens.
    func scrubbed(_ text: String, of tokens: [Secret] = []) -> String {
        let echoes = (secrets + tokens).contains { secret in
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
