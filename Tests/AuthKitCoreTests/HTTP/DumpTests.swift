import AuthKitCore
import AuthKitTesting
import Testing

/// What careless printing shows of values that may hold secrets.
@Suite struct DumpTests {
    /// Everything that a person who prints may write.
    private func printed<Value>(_ value: Value) -> [String] {
        var dumped = ""
        dump([value], to: &dumped)
        return [dumped, "\(value)", "\([value])", String(reflecting: value), String(describing: Optional(value))]
    }

    private func url() throws -> WebURL { try #require(WebURL("https://issuer.example/path?code=SECRET&SECRET")) }

    private func expectNames<Value>(_ value: Value, _ names: [String]) {
        for text in printed(value) {
            #expect(!text.contains("SECRET"), "\(Value.self)")
            for name in names { #expect(text.contains(name), "\(text)") }
        }
    }

    @Test func `a URL shows no values of its query`() throws {
        expectNames(try url(), ["https://issuer.example/path?code=…&…"])
    }

    @Test func `an answer shows its status, names and size`() throws {
        let answer = HTTPResponse(
            status: 418,
            fields: [HTTPField("Set-Cookie", "SECRET")],
            body: Array("SECRET".utf8),
            url: try url(),
            receivedAt: ManualTime().now
        )
        expectNames(answer, ["418", "Set-Cookie", "6 bytes", "code=…"])
        for text in printed(answer) { #expect(!text.contains("83"), "bytes of the body") }
    }

    @Test func `a request shows its method and names`() throws {
        var request = HTTPRequest("POST", try url(), fields: [HTTPField("X-Name", "SECRET")])
        request.body = .form([FormParameter("user", "SECRET"), FormParameter("word", secret: Secret("SECRET"))])
        expectNames(request, ["POST", "X-Name", "user", "word", "code=…"])
    }

    @Test func `a body shows its kind, size and names`() {
        let bytes = Array("SECRET".utf8)
        expectNames(HTTPBody.bytes(bytes, contentType: "text/plain"), ["text/plain", "6 bytes"])
        expectNames(HTTPBody.secretBytes(bytes, contentType: "text/plain"), ["text/plain", "6 bytes"])
        expectNames(HTTPBody.form([FormParameter("user", "SECRET")]), ["form", "user"])
        for text in printed(HTTPBody.secretBytes(bytes, contentType: "a/b")) { #expect(!text.contains("83")) }
    }

    @Test func `a stored credential shows names of what it holds`() throws {
        let id = CredentialID(provider: .oidc, issuer: "https://i.example", client: "c", slot: "work")
        var credential = StoredCredential(id: id, incarnation: try .draw(), state: .signedIn)
        credential.attributes["instance"] = "SECRET"
        credential.keys["dpop"] = Secret("SECRET")
        credential.companions["session"] = HeldToken(Secret("SECRET"))
        credential.refreshToken = HeldToken(Secret("SECRET"))
        credential.accessTokens[.primary] = HeldToken(Secret("SECRET"))
        expectNames(credential, ["work", "signedIn"])
        var dumped = ""
        dump(credential, to: &dumped)
        for name in ["instance", "dpop", "session"] { #expect(dumped.contains(name)) }
    }
}
