import AuthKitCore
import AuthKitTesting
import Testing

/// What a server repeats of a request's secrets must not come into a trace.
@Suite struct EchoedSecretTests {
    private static let secret = "p+a/s s%wörd"

    /// The secret as servers may write it.
    static let forms = [
        secret, "p%2Ba%2Fs%20s%25w%C3%B6rd", "p%2ba%2fs+s%25w%c3%b6rd", "%70+a%2Fs s%25wörd", "x\(secret)x",
    ]

    private func lines(_ request: HTTPRequest, fields: [HTTPField] = [], body: String = "") async throws -> [String] {
        let answer = HTTPResponse(
            status: 400,
            fields: fields,
            body: Array(body.utf8),
            url: request.url,
            receivedAt: ManualTime().now
        )
        let tracer = LineTracer()
        _ = try await Trace.$tracer.withValue(tracer) {
            try await TracingTransport(OneAnswer(answer: answer), time: ManualTime()).send(request)
        }
        return tracer.answer
    }

    private func request(_ fields: [HTTPField] = [], _ body: HTTPBody? = nil, query: String = "") throws -> HTTPRequest
    {
        HTTPRequest("POST", try #require(WebURL("https://issuer.example/token\(query)")), fields: fields, body: body)
    }

    private func form(_ secret: String) -> HTTPBody { .form([FormParameter("code", secret: Secret(secret))]) }

    @Test(arguments: forms)
    func `a form's secret is withheld in every field that is shown`(_ form: String) async throws {
        let request = try request([], self.form(Self.secret))
        for name in ["Content-Type", "Retry-After", "Cache-Control", "Location"] {
            let lines = try await lines(request, fields: [HTTPField(name, "text \(form)")])
            #expect(lines == ["HTTP 400", "<withheld: it repeats a secret of the request>"], "\(name)")
        }
    }

    @Test(arguments: ["error", "token_type", "scope", "issuer", "tok-SECRET", "expires_in"])
    func `a JSON answer that repeats a token is withheld`(_ name: String) async throws {
        let request = try request([], form("tok-SECRET"))
        let value = name == "issuer" ? "https://i.example/tok-SECRET" : "tok-SECRET"
        let lines = try await lines(request, body: #"{"\#(name)":"\#(value)"}"#)
        #expect(lines == ["HTTP 400", "<withheld: it repeats a secret of the request>"])
    }

    @Test(arguments: ["invalid_grant", "use_dpop_nonce", "a.b-1"])
    func `an error code is shown`(_ code: String) async throws {
        let challenge = HTTPField("WWW-Authenticate", #"Bearer error="\#(code)""#)
        let lines = try await lines(try request(), fields: [challenge], body: #"{"error":"\#(code)"}"#)
        #expect(lines == ["HTTP 400", #"WWW-Authenticate: Bearer error="\#(code)""#, "{error=\(code)}"])
    }

    @Test(arguments: ["the code c0de is wrong", "a/b", "", String(repeating: "a", count: 65)])
    func `an error that is no code is not shown`(_ text: String) async throws {
        let challenge = HTTPField("WWW-Authenticate", #"Bearer error="\#(text)""#)
        let body = #"{"error":"\#(text)","token_type":"\#(text)","issuer":"\#(text)","a b":1}"#
        let lines = try await lines(try request(), fields: [challenge], body: body)
        #expect(
            lines == [
                "HTTP 400", "WWW-Authenticate: Bearer error=…", "{error=…, token_type=…, issuer=…, …=…}",
            ]
        )
    }

    @Test func `harmless values are still shown`() async throws {
        let body = #"{"token_type":"Bearer","scope":"openid https://api/x.read","issuer":"https://i.example/?t=1"}"#
        let lines = try await lines(try request([], form("tok-SECRET")), body: body)
        #expect(lines.last == "{token_type=Bearer, scope=openid https://api/x.read, issuer=https://i.example/?t=…}")
    }

    @Test func `what is inside of credentials, bodies and queries counts as secret`() async throws {
        let basic = HTTPField("Authorization", "Basic \(Base64Text.of("app:pa%2Fss-word"))")
        let requests = [
            try request([basic]), try request([HTTPField("Authorization", secret: Secret("DPoP pa/ss-word"))]),
            try request([HTTPField("Cookie", "a=b; sid=pa/ss-word")]), try request(query: "?code=pa%2Fss-word"),
            try request([], .secretBytes(Array(#"{"a":["pa/ss-word"]}"#.utf8), contentType: "application/json")),
            try request([], .secretBytes(Array("a=1&b=pa%2Fss-word".utf8), contentType: "text/plain")),
        ]
        for request in requests {
            let lines = try await lines(request, fields: [HTTPField("Location", "/x/pa/ss-word")])
            #expect(lines.last == "<withheld: it repeats a secret of the request>", "\(request)")
        }
    }

    @Test func `a password and a bare value of a location are not shown`() async throws {
        let locations = ["https://user:pass@host/": "…", "/cb?abc.def&state=1&scope=a": "/cb?…&state=…&scope=a"]
        for (location, shown) in locations {
            let lines = try await lines(try request(), fields: [HTTPField("Location", location)])
            #expect(lines.last == "Location: \(shown)")
        }
    }
}

private struct OneAnswer: HTTPTransport {
    let answer: HTTPResponse

    func send(_ request: HTTPRequest) async throws -> HTTPResponse { answer }
}

private final class LineTracer: Tracer {
    private let lines = Guarded<[String]>([])

    var answer: [String] { lines.withLock { $0 } }

    func record(_ step: TraceStep) {
        guard case .exchange(_, let answer, _) = step else { return }
        lines.withLock { $0 = answer }
    }
}

private enum Base64Text {
    static func of(_ text: String) -> String {
        let url = Base64URL.encode(Array(text.utf8))
        let standard = String(url.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        return standard + String(repeating: "=", count: (4 - standard.count % 4) % 4)
    }
}
