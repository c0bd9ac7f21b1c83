import AuthKitCore
import Testing

@Suite struct TracingTransportTests {
    /// Answers everything in one way.
    private struct Canned: HTTPTransport {
        var answer: Result<HTTPResponse, any Error>

        func send(_ request: HTTPRequest) async throws -> HTTPResponse { try answer.get() }
    }

    private struct Recorder: Tracer {
        let steps = AsyncStream.makeStream(of: TraceStep.self)

        func record(_ step: TraceStep) { steps.continuation.yield(step) }
    }

    private func trace(
        _ request: HTTPRequest,
        _ answer: Result<HTTPResponse, any Error>
    ) async throws -> (request: [String], answer: [String]) {
        let recorder = Recorder()
        await Trace.$tracer.withValue(recorder) {
            _ = try? await TracingTransport(Canned(answer: answer)).send(request)
        }
        recorder.steps.continuation.finish()
        for await case .exchange(let request, let answer, _) in recorder.steps.stream { return (request, answer) }
        throw TransportError(.unusable, delivery: .notSent, detail: "nothing was traced")
    }

    private func answer(_ status: Int, _ fields: [HTTPField] = [], _ body: String = "") throws -> HTTPResponse {
        let url = try #require(WebURL("https://issuer.example/token"))
        return HTTPResponse(
            status: status,
            fields: fields,
            body: Array(body.utf8),
            url: url,
            receivedAt: SystemTime().now
        )
    }

    @Test func `a request shows what is harmless and no secret`() async throws {
        let url = try #require(
            WebURL("https://issuer.example/token?scope=openid&code=hidden1&state=hidden2&client_id=app")
        )
        var request = HTTPRequest("POST", url)
        request.fields = [
            HTTPField("Accept", "application/json"), HTTPField("X-Key", secret: Secret("hidden3")),
            HTTPField("Authorization", "Basic hidden4"),
        ]
        request.body = .form([
            FormParameter("grant_type", "refresh_token"), FormParameter("refresh_token", secret: Secret("hidden5")),
        ])
        let lines = try await trace(request, .success(try answer(200))).request
        #expect(
            lines == [
                "POST https://issuer.example/token?scope=openid&code=…&state=…&client_id=app",
                "Accept: application/json", "X-Key: <redacted>", "Authorization: <redacted>",
                "grant_type=refresh_token", "refresh_token=<redacted>",
            ]
        )
    }

    @Test func `secret bytes are counted only`() async throws {
        let url = try #require(WebURL("https://issuer.example/"))
        let body = HTTPBody.secretBytes(Array("hidden".utf8), contentType: "application/json")
        let lines = try await trace(HTTPRequest("POST", url, body: body), .success(try answer(200))).request
        #expect(lines.last == "application/json: <6 bytes>")
    }

    @Test func `of secret JSON the names are shown, and what kind of request it is`() async throws {
        let url = try #require(WebURL("https://issuer.example/"))
        let text = #"{"grantType":"exchange_key","apiKey":"hidden","a b":"hidden"}"#
        let body = HTTPBody.secretBytes(Array(text.utf8), contentType: "application/json")
        let lines = try await trace(HTTPRequest("POST", url, body: body), .success(try answer(200))).request
        #expect(lines.last == "application/json: {grantType=exchange_key, apiKey=…, …=…}")
    }

    @Test(arguments: [
        (
            "sid=hidden; Path=/; Expires=Thu, 01 Jan 2026 00:00:00 GMT; HttpOnly",
            "sid=<redacted>; Path; Expires; HttpOnly"
        ),
        ("sid=hidden; hidden=1; SameSite=Strict", "sid=<redacted>; SameSite"), ("hidden", "…"), ("hid den=1", "…"),
        ("a=hidden; path=/, b=hidden; Secure", "a=<redacted>; path; Secure"),
    ])
    func `of a cookie the name and those of its attributes are shown`(_ value: String, _ shown: String) async throws {
        let url = try #require(WebURL("https://issuer.example/token"))
        let field = HTTPField("Set-Cookie", value)
        let lines = try await trace(HTTPRequest("GET", url), .success(try answer(200, [field]))).answer
        #expect(lines == ["HTTP 200", "Set-Cookie: \(shown)"])
    }

    @Test func `an answer shows listed fields and the names in its JSON`() async throws {
        let url = try #require(WebURL("https://issuer.example/token"))
        let fields = [
            HTTPField("Content-Type", "application/json"), HTTPField("Set-Cookie", "sid=hidden1"),
            HTTPField("Location", "/cb?code=hidden2&scope=openid#access_token=hidden3"),
            HTTPField("WWW-Authenticate", #"Bearer realm="hidden4", error="invalid_token", nonce="hidden5""#),
        ]
        let body = #"{"access_token":"hidden6","expires_in":300,"token_type":"Bearer","x":{"error":"hidden7"}}"#
        let lines = try await trace(HTTPRequest("GET", url), .success(try answer(400, fields, body))).answer
        #expect(
            lines == [
                "HTTP 400", "Content-Type: application/json", "Set-Cookie: sid=<redacted>",
                "Location: /cb?code=…&scope=openid",
                #"WWW-Authenticate: Bearer error="invalid_token""#,
                "{access_token=…, expires_in=300, token_type=Bearer, x=…}",
            ]
        )
    }

    @Test(arguments: ["hidden", #"["hidden"]"#, #"{"a":"hidden""#, #"{"a":1,"a":"hidden"}"#])
    func `a body that is no JSON object is counted only`(body: String) async throws {
        let url = try #require(WebURL("https://issuer.example/token"))
        let lines = try await trace(HTTPRequest("GET", url), .success(try answer(200, [], body))).answer
        #expect(lines == ["HTTP 200", "<\(body.utf8.count) bytes>"])
    }

    @Test func `line ends and control characters stay within their line`() async throws {
        let url = try #require(WebURL("https://issuer.example/token"))
        let body = #"{"error":"a\nb\u001b[31m"}"#
        let fields = [HTTPField("Content-Type", "a\nb\u{1B}[31m")]
        let lines = try await trace(HTTPRequest("GET", url), .success(try answer(400, fields, body))).answer
        #expect(lines == ["HTTP 400", "Content-Type: a\u{FFFD}b\u{FFFD}[31m", "{error=…}"])
    }

    @Test func `a failure is reported by its code and thrown on`() async throws {
        let url = try #require(WebURL("https://issuer.example/token"))
        let failure = TransportError(.timedOut, delivery: .sentNoAnswer, detail: "Too slow; try again.")
        let lines = try await trace(HTTPRequest("GET", url), .failure(failure)).answer
        #expect(lines == ["failed: timed_out: Too slow; try again."])
        let error = await #expect(throws: TransportError.self) {
            try await TracingTransport(Canned(answer: .failure(failure))).send(HTTPRequest("GET", url))
        }
        #expect(error?.reason == .timedOut)
    }
}
