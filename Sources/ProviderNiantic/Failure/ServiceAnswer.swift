public import AuthKitCore

/// What an answer of an NSDK service (Sites, VPS, the REST interface) means for the token and for trying again.
public enum ServiceAnswer: Sendable {
    /// The error of an answer; nil for a success.
    ///
    /// 401 is a token that is missing, malformed, ended or revoked. 403 is either that or a lack of scope: some services
    /// say it for a failed authentication. 400 is said by a gateway for a missing key. 429 is ten requests a second and
    /// more for one developer token; `Retry-After` counts where it is there. `isDeveloperToken` says that nobody can
    /// sign in anew, so that only another token helps.
    public static func failure(of response: HTTPResponse, isDeveloperToken: Bool = false) -> NianticError? {
        let status = response.status
        guard !(200..<300).contains(status) else { return nil }
        let words = ErrorWords.read(response, secrets: [])
        let said = words.map { ": \($0.error)" } ?? ""
        func error(
            _ code: NianticError.Code,
            _ what: String,
            _ remedy: Remedy,
            _ delivery: Delivery = .answered
        ) -> NianticError {
            NianticError(
                code,
                "The service at \(response.url.origin) \(what) (status \(status)\(said)).",
                remedy: remedy,
                delivery: delivery,
                issuerError: words
            )
        }
        let wait = RetryAfter.duration(in: response)
        switch status {
        case 401:
            return isDeveloperToken
                ? error(.tokenRejected, "does not take the developer token; make a new one", .fixConfiguration)
                : error(.tokenRejected, "does not take the access token; renew it or sign in again", .signInAgain)
        case 403:
            return error(
                .notPermitted,
                "does not permit that: the token lacks the scope, or is not taken; check both",
                .fixConfiguration
            )
        case 408, 425, 429: return error(.unavailable, "asks to wait; try again later", .retry(after: wait))
        case 500...:
            return error(.unavailable, "cannot answer now; try again later", .retry(after: wait), .answeredUnclear)
        case 400: return error(.requestRefused, "does not take the request, or misses its key", .fixConfiguration)
        case 404, 405, 410: return error(.missingEndpoint, "has nothing there; check the address", .fixConfiguration)
        default: return error(.requestRefused, "does not take the request; check it", .fixConfiguration)
        }
    }
}
