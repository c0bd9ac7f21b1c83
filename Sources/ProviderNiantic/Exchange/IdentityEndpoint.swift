internal import AuthKitCore

/// Sends requests to the identity endpoint: JSON, once, to that address only, the cookie written by hand.
///
/// The wire format is that of nsdk-samples-swift (`AuthRequests.swift`): `grantType` in camel case, no client, no
/// scope. No cookie is ever kept: a jar gave the vendor's clients an old session token now and then.
struct IdentityEndpoint: Sendable {
    /// An answer, when its request went, and what turns it into an error.
    struct Answer: Sendable {
        /// The answer, a success.
        let response: HTTPResponse
        /// What makes errors of it.
        let failure: IdentityFailure
        /// How far the service's clock is ahead of ours, where the exchange told.
        let clockOffset: Duration?
    }

    /// The full address.
    let url: WebURL
    /// Whom to trust.
    let tls: TLSOptions
    /// What carries the request.
    let transport: any HTTPTransport
    /// How long one request may take.
    let requestLimit: Duration
    /// What is assumed where nothing is documented.
    let assumptions: IdentityAssumptions

    /// The name of the cookie that carries the session token; compared without case when it comes back.
    static let cookieName = "refresh_token"

    /// Makes one request; throws for anything but a 2xx.
    ///
    /// `cookie` is the session token; `fields` are more members of the body, secret or not.
    func send(
        _ call: IdentityCall,
        cookie: Secret? = nil,
        members: [(name: String, value: Secret)] = [],
        extra: JSONObject = JSONObject(),
        in context: ProviderContext
    ) async throws -> Answer {
        Trace.note(call.note)
        var body: JSONObject = ["grantType": .string(call.grant)]
        for member in extra.members where body[member.name] == nil { body[member.name] = member.value }
        for member in members { body[member.name] = .string(member.value.reveal()) }
        let isSecret = !members.isEmpty || !extra.isEmpty
        let bytes = body.serialized()
        var fields = [HTTPField("Accept", "application/json")]
        if let cookie {
            // Raw, as the vendor's clients send it: a JWT has no character that a cookie may not have.
            fields.append(HTTPField("Cookie", secret: Secret("\(Self.cookieName)=\(cookie.reveal())")))
        }
        let type = "application/json"
        var request = HTTPRequest(
            "POST",
            url,
            fields: fields,
            body: isSecret ? .secretBytes(bytes, contentType: type) : .bytes(bytes, contentType: type)
        )
        request.deadline = min(requestLimit, context.deadline.remaining(at: context.time.now))
        request.idleDeadline = min(request.deadline, request.idleDeadline)
        request.bodyLimit = JSONAnswer.sizeLimit
        // What is sent may work only once: nothing is sent twice, and nowhere else.
        request.mayResend = false
        request.redirects = .never
        request.tls = tls
        let sentAt = context.time.now
        let response = try await transport.send(request)
        let failure = IdentityFailure(
            call: call,
            secrets: [cookie].compactMap(\.self) + members.map(\.value),
            assumptions: assumptions
        )
        guard (200..<300).contains(response.status) else { throw failure.error(for: response) }
        // Some proxies call their page a success.
        if IdentityFailure.isPage(response) { throw failure.page(response) }
        return Answer(
            response: response,
            failure: failure,
            clockOffset: ClockOffset.learned(from: response, sentAt: sentAt)
        )
    }
}
