internal import AuthKitCore

/// Reads the answer of an app's own back end.
struct BackendAnswer: Sendable {
    private let configuration: BackendConfiguration
    private let secrets: [Secret]

    /// Takes the names of members, and what no error may contain.
    init(_ configuration: BackendConfiguration, secrets: [Secret]) {
        self.configuration = configuration
        self.secrets = secrets
    }

    /// The access token of an answer; throws for anything but a success with one and without an error.
    func token(in response: HTTPResponse) throws(NianticError) -> HeldToken {
        let words = words(in: response)
        // What a portal or a proxy puts in between is nobody's no, whatever its status.
        if IdentityFailure.isPage(response) {
            throw error(
                .unavailable,
                "answered with status \(response.status) and a page for people; check its address and what is between "
                    + "you and it, then try again",
                .retry(after: RetryAfter.duration(in: response)),
                nil,
                .answeredUnclear
            )
        }
        guard (200..<300).contains(response.status) else { throw failure(of: response, words) }
        // A non-empty error in a success is a failure, as the vendor's samples had it.
        if let words {
            let what = "answered with an error (\(words.error)); try again later"
            throw error(.backendRefused, what, .retry(after: nil), words)
        }
        guard let object = JSONAnswer.object(response),
            let token = JSONAnswer.token(configuration.tokenField, in: object)
        else {
            throw error(
                .malformedAnswer,
                "sent no usable \(configuration.tokenField); check its address and the names of its answer's members",
                .retry(after: nil)
            )
        }
        let expiry = AnswerExpiry.ofAccess(
            token,
            expiresAt: object[configuration.endField],
            expiresIn: object[configuration.lifetimeField],
            receivedAt: response.receivedAt
        )
        return HeldToken(token, expiry: expiry)
    }

    private func failure(of response: HTTPResponse, _ words: OAuthErrorBody?) -> NianticError {
        let status = response.status
        let said = words.map { ": \($0.error)" } ?? ""
        if IdentityAssumptions().isTransient(status) {
            return error(
                .unavailable,
                "cannot answer now (status \(status)\(said)); try again later",
                .retry(after: RetryAfter.duration(in: response)),
                words,
                status >= 500 ? .answeredUnclear : .answered
            )
        }
        switch status {
        case 401, 403:
            return error(
                .backendRefused,
                "does not know who asks (status \(status)\(said)); check the fields that it is sent",
                .fixConfiguration,
                words
            )
        case 300..<400, 404, 405, 410:
            let what = "has no tokens there (status \(status)); check its address"
            return error(.missingEndpoint, what, .fixConfiguration)
        default:
            return error(
                .backendRefused,
                "refused the request (status \(status)\(said)); check its configuration",
                .fixConfiguration,
                words
            )
        }
    }

    /// The words of the error member; nil where it is absent, null, empty or false.
    private func words(in response: HTTPResponse) -> OAuthErrorBody? {
        guard var object = JSONAnswer.object(response) else { return nil }
        let value = object[configuration.errorField]
        guard let value, !value.isNull, value.string != "", value.bool != false else { return nil }
        object["error"] = value
        var renamed = response
        renamed.body = object.serialized()
        return ErrorWords.read(renamed, secrets: secrets) ?? OAuthErrorBody(error: "error")
    }

    private func error(
        _ code: NianticError.Code,
        _ what: String,
        _ remedy: Remedy,
        _ words: OAuthErrorBody? = nil,
        _ delivery: Delivery = .answered
    ) -> NianticError {
        NianticError(code, "The back end \(what).", remedy: remedy, delivery: delivery, issuerError: words)
    }
}
