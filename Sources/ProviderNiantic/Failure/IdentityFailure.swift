internal import AuthKitCore

/// Turns an unhappy answer of the identity endpoint into an error: "not now" first, then its words, then the status.
///
/// Neither the texts of `error` nor the statuses are documented. What is certain to pass, passes; 400, 401 and 403,
/// unless the assumptions say otherwise, are the service's no; everything else is a matter of set-up. A page from
/// something in between is nobody's no.
struct IdentityFailure: Sendable {
    /// What was asked.
    let call: IdentityCall
    /// What no error may contain.
    let secrets: [Secret]
    /// What is assumed of statuses.
    let assumptions: IdentityAssumptions

    /// The error of an answer that is no success.
    func error(for response: HTTPResponse) -> NianticError {
        let status = response.status
        let words = ErrorWords.read(response, secrets: secrets)
        if assumptions.isTransient(status) { return unavailable(response, words) }
        if (300..<400).contains(status) {
            return failure(
                .missingEndpoint,
                "\(place) at \(response.url) redirects, which is not followed with a token; "
                    + "configure the address it has moved to.",
                .fixConfiguration,
                .answeredUnclear
            )
        }
        let isRefusal = assumptions.refusalStatuses.contains(status)
        if Self.isPage(response), !isRefusal || assumptions.refusalPage == .nobodysWord { return page(response) }
        if status == 404 || status == 405 || status == 410 {
            return failure(
                .missingEndpoint,
                "There is no \(call.place) at \(response.url) (status \(status)); check the identity URL.",
                .fixConfiguration,
                .answered,
                words
            )
        }
        if let error = words?.error, assumptions.transientErrors.contains(error) { return unavailable(response, words) }
        if let error = words?.error, assumptions.configurationErrors.contains(error) {
            return requestRefused(status, words)
        }
        guard isRefusal else { return requestRefused(status, words) }
        return failure(
            call.refusal,
            "\(place) refused \(call.subject) (\(Self.reason(status, words))); \(call.advice).",
            call.remedy,
            .answered,
            words
        )
    }

    /// The error of a success that cannot be used: what became of the token that was sent is not known.
    func unusable(_ why: String, delivery: Delivery = .sentNoAnswer) -> NianticError {
        failure(
            .malformedAnswer,
            "The answer to \(call.grant) cannot be used: \(why); try again, and check the identity URL if it stays.",
            .retry(after: nil),
            delivery
        )
    }

    /// The error of a success that says `error` instead of bringing a token.
    func contradictory(_ words: OAuthErrorBody, delivery: Delivery) -> NianticError {
        failure(
            .malformedAnswer,
            "\(place) answered \(call.grant) with success and an error (\(words.error)); try again later.",
            .retry(after: nil),
            delivery,
            words
        )
    }

    /// Whether a body is a page for people, which a proxy, filter or portal made.
    static func isPage(_ response: HTTPResponse) -> Bool {
        guard !response.body.isEmpty, let mediaType = response.mediaType else { return false }
        return mediaType == "text/html" || mediaType == "application/xhtml+xml"
    }

    /// The error of such a page, whatever its status: it says nothing of what the service would have done.
    func page(_ response: HTTPResponse) -> NianticError {
        failure(
            .unavailable,
            "\(place) answered with status \(response.status) and a page for people; check the address and what is "
                + "between you and the service, then try again.",
            .retry(after: RetryAfter.duration(in: response)),
            .answeredUnclear
        )
    }

    private func unavailable(_ response: HTTPResponse, _ words: OAuthErrorBody?) -> NianticError {
        let wait = RetryAfter.duration(in: response)
        let advice = wait.map { "try again in \($0.components.seconds) s." } ?? "try again later."
        // A 4xx was not acted upon; a 5xx says nothing of what became of the token.
        let isUnclear = response.status >= 500 || response.status < 200 || words?.error == "server_error"
        return failure(
            .unavailable,
            "\(place) cannot answer now (\(Self.reason(response.status, words))); \(advice)",
            .retry(after: wait),
            isUnclear ? .answeredUnclear : .answered,
            words
        )
    }

    private func requestRefused(_ status: Int, _ words: OAuthErrorBody?) -> NianticError {
        failure(
            .requestRefused,
            "\(place) does not take \(call.grant) (\(Self.reason(status, words))); check the identity URL.",
            .fixConfiguration,
            .answered,
            words
        )
    }

    private var place: String { "The \(call.place)" }

    private static func reason(_ status: Int, _ words: OAuthErrorBody?) -> String {
        words.map { "status \(status): \($0.error)\($0.description.map { ", \($0)" } ?? "")" } ?? "status \(status)"
    }

    private func failure(
        _ code: NianticError.Code,
        _ detail: String,
        _ remedy: Remedy,
        _ delivery: Delivery,
        _ words: OAuthErrorBody? = nil
    ) -> NianticError {
        NianticError(code, detail, remedy: remedy, delivery: delivery, issuerError: words)
    }
}
