internal import AuthKitCore

/// Sends forms to an issuer's endpoints under the client's authentication, once and to that address only.
struct TokenEndpoint: Sendable {
    /// What the app is.
    let configuration: OIDCConfiguration
    /// What carries the request.
    let transport: any HTTPTransport

    /// Posts a form and returns the answer, whatever its status.
    func post(_ form: [FormParameter], to url: WebURL, within limit: Duration) async throws -> HTTPResponse {
        var fields = [HTTPField("Accept", "application/json")]
        var form = form
        configuration.clientAuthentication.apply(clientID: configuration.clientID, to: &fields, &form)
        var request = HTTPRequest("POST", url, fields: fields, body: .form(form))
        request.deadline = limit
        request.idleDeadline = min(limit, request.idleDeadline)
        request.bodyLimit = JSONObject.sizeLimit
        // A code or refresh token may work only once: nothing is sent twice, and nowhere else.
        request.mayResend = false
        request.redirects = .never
        request.tls = configuration.tls
        return try await transport.send(request)
    }

    /// What turns an unhappy answer to such a form into an error.
    func failure(
        _ call: EndpointFailure.Call,
        _ place: String,
        sent form: [FormParameter],
        _ methods: [String]?
    )
        -> EndpointFailure
    {
        var secrets = form.filter(\.isSecret).map { Secret($0.value) }
        if let secret = configuration.clientAuthentication.secret { secrets.append(secret) }
        return EndpointFailure(call: call, place: place, secrets: secrets, authenticationMethods: methods)
    }

    /// Exchanges a code or refresh token, and learns from the answer how the issuer's clock stands.
    func exchange(
        _ call: EndpointFailure.Call,
        _ form: [FormParameter],
        at metadata: ProviderMetadata,
        requestedScope: Scope?,
        within limit: Duration,
        time: any TimeSource
    ) async throws -> TokenAnswer {
        let url = try metadata.url(\.token, named: "token_endpoint")
        let sentAt = time.now
        let response = try await post(form, to: url, within: limit)
        let failure = failure(call, "token endpoint", sent: form, metadata.authenticationMethods)
        var answer = try TokenAnswer(response, requestedScope: requestedScope, failure: failure)
        answer.clockOffset = ClockOffset.learned(from: response, sentAt: sentAt)
        return answer
    }
}
