import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// The app's own back end: URL, fields and names configurable, the vendor's shape by default.
@Suite struct BackendTests {
    private let time = ManualTime()

    private func session(
        _ transport: StubTransport,
        _ change: (inout BackendConfiguration) -> Void = { _ in },
        credentials: BackendProvider.Credentials? = nil
    ) async throws -> Session {
        var configuration = BackendConfiguration(url: "https://api.app.example/access-token")
        change(&configuration)
        let provider = try BackendProvider(configuration, transport: transport, credentials: credentials)
        let vault = try await Vault.open(InMemoryStore(), keySource: EnvironmentKey(name: "k") { _ in SampleApp.key })
        return Session(provider.credentialID(slot: "app"), provider: provider, vault: vault, time: time)
    }

    private func backend(_ status: Int = 200, _ body: String, fields: [HTTPField] = []) -> StubTransport {
        StubTransport { [time] in .stub($0, status: status, fields: fields, body: body, at: time.now) }
    }

    @Test func `the default is GET, accessToken and expiresIn`() async throws {
        let transport = backend(200, #"{"accessToken":"t1","expiresIn":600}"#)
        let issued = try await session(transport).token()
        #expect(issued.token.value == Secret("t1"))
        #expect(issued.token.expiry.remaining(at: time.now) == .lasts(.seconds(600)))
        let request = try #require(transport.requests.first)
        #expect(request.method == "GET" && request.body == nil)
        #expect(request.url.text == "https://api.app.example/access-token")
    }

    @Test func `method, body, fields and names can be set`() async throws {
        let transport = backend(200, #"{"nsdk":"t1","until":1800000900,"problem":""}"#)
        let issued = try await session(transport) { configuration in
            configuration.method = .post
            configuration.body = ["user": "u-1"]
            configuration.fields = [
                HTTPField("X-App", "demo"), HTTPField("Authorization", secret: Secret("Bearer s3cret-value")),
            ]
            configuration.tokenField = "nsdk"
            configuration.endField = "until"
            configuration.errorField = "problem"
        }.token()
        #expect(issued.token.expiry == .at(WallTime(seconds: 1_800_000_900)))
        let request = try #require(transport.requests.first)
        #expect(request.method == "POST")
        #expect(IdentityService.body(request) == ["user": "u-1"])
        #expect(request.fields.first(named: "x-app") == "demo")
        #expect(request.fields.first(named: "authorization") == "Bearer s3cret-value")
        #expect(!request.mayResend && request.redirects == .never)
    }

    @Test func `fields come from a file that only its owner may read`() async throws {
        let place = try KeyPlace()
        defer { place.remove() }
        let transport = backend(200, #"{"accessToken":"t1","expiresIn":600}"#)
        let path = try place.write("# the app's user\nAuthorization: Bearer abc\n\nX-Tenant:  acme \n", to: "fields")
        _ = try await session(transport) { $0.fieldFile = path }.token()
        let request = try #require(transport.requests.first)
        #expect(request.fields.first(named: "authorization") == "Bearer abc")
        #expect(request.fields.first(named: "x-tenant") == "acme")
        #expect(request.fields.filter { !$0.isSecret }.map(\.name) == ["Accept"])
        let loose = try place.write("A: b", to: "other", mode: 0o644)
        let error = try await failure { try await session(transport) { $0.fieldFile = loose }.token() }
        #expect(error.reason == .invalidConfiguration)
    }

    @Test(arguments: ["no colon", "a b: c", ": c", "A: b\u{1}"])
    func `a line that is no field is named by its number, not by what it holds`(_ line: String) async throws {
        let place = try KeyPlace()
        defer { place.remove() }
        let path = try place.write("\(line)\n", to: "fields")
        let error = try await failure { try await session(backend(200, "{}")) { $0.fieldFile = path }.token() }
        #expect(error.detail.contains("Line 1"))
        #expect(!error.detail.contains(line))
    }

    @Test func `credentials of the app are asked for each time, and a worker skips them`() async throws {
        let transport = backend(200, #"{"accessToken":"t1","expiresIn":600}"#)
        let asked = Recorder<Int>()
        let session = try await session(
            transport,
            credentials: {
                asked.add(1)
                return [HTTPField("Authorization", secret: Secret("Bearer user-\(asked.all.count)"))]
            }
        )
        _ = try await session.token()
        time.advance(by: .seconds(600))
        _ = try await session.token()
        let sent = transport.requests.map { $0.fields.first(named: "authorization") }
        #expect(sent == ["Bearer user-1", "Bearer user-2"])
        let configuration = BackendConfiguration(url: "https://api.app.example/t")
        let provider = try BackendProvider(configuration, transport: transport, credentials: { [] })
        #expect(provider.traits.needsCallback)
        #expect(provider.traits.refresh == .niantic)
        #expect(try !BackendProvider(configuration, transport: transport).traits.needsCallback)
    }

    @Test func `the token is renewed by the same request, 60 s ahead`() async throws {
        let transport = backend(200, #"{"accessToken":"t1","expiresIn":600}"#)
        let session = try await session(transport)
        _ = try await session.token()
        time.advance(by: .seconds(539))
        _ = try await session.token()
        #expect(transport.requests.count == 1)
        time.advance(by: .seconds(2))
        _ = try await session.token()
        #expect(transport.requests.count == 2)
    }

    @Test(arguments: [#"{"accessToken":"t1","error":"quota"}"#, #"{"error":{"code":"quota"}}"#])
    func `an error in a success is a failure`(_ body: String) async throws {
        let error = try await failure { try await session(backend(200, body)).token() }
        #expect(error.reason == .backendRefused)
        #expect(error.issuerError?.error == "quota")
        #expect(error.remedy == .retry(after: nil))
    }

    @Test(arguments: [
        #"{"accessToken":"t1","expiresIn":60,"error":""}"#, #"{"accessToken":"t1","expiresIn":60,"error":null}"#,
    ])
    func `an empty error is none`(_ body: String) async throws {
        #expect(try await session(backend(200, body)).token().token.value == Secret("t1"))
    }

    @Test(
        arguments: [
            (401, .fixConfiguration), (403, .fixConfiguration), (404, .fixConfiguration), (302, .fixConfiguration),
            (400, .fixConfiguration), (408, .retry(after: nil)), (429, .retry(after: nil)), (500, .retry(after: nil)),
            (503, .retry(after: nil)),
        ] as [(Int, Remedy)]
    )
    func `each status has its remedy`(_ status: Int, _ remedy: Remedy) async throws {
        let error = try await failure { try await session(backend(status, #"{"error":"x"}"#)).token() }
        #expect(error.remedy == remedy)
    }

    @Test func `Retry-After counts`() async throws {
        let transport = backend(429, "", fields: [HTTPField("Retry-After", "9")])
        #expect(try await failure { try await session(transport).token() }.remedy == .retry(after: .seconds(9)))
    }

    @Test(arguments: ["", "{}", "[]", "not JSON", #"{"accessToken":""}"#, #"{"accessToken":7}"#])
    func `a success without a token may pass`(_ body: String) async throws {
        let error = try await failure { try await session(backend(200, body)).token() }
        #expect(error.reason == .malformedAnswer)
        #expect(error.remedy == .retry(after: nil))
    }

    @Test func `an error that repeats the credential shows nothing of it`() async throws {
        let transport = backend(401, #"{"error":"bad token s3cret-value"}"#)
        let error = try await failure {
            try await session(transport) {
                $0.fields = [HTTPField("Authorization", secret: Secret("Bearer s3cret-value"))]
            }.token()
        }
        let shown = "\(error) \(error.issuerError?.error ?? "")"
        #expect(!shown.contains("s3cret-value"))
    }

    @Test(arguments: ["http://api.app.example/t", "ftp://x", "", "https://"])
    func `an address that cannot be asked is refused`(_ url: String) {
        #expect(throws: NianticError.self) {
            try BackendProvider(BackendConfiguration(url: url), transport: StubTransport())
        }
    }

    @Test(arguments: [200, 403, 404])
    func `a page of something in between is nobody's no`(_ status: Int) async throws {
        let portal = StubTransport { [time] request in
            var page = HTTPResponse.stub(
                request,
                status: status,
                body: "<html>Sign in to the network</html>",
                at: time.now
            )
            page.fields = [HTTPField("Content-Type", "text/html; charset=utf-8")]
            return page
        }
        let session = try await session(portal)
        let error = try await failure { try await session.token() }
        #expect(error.reason == .unavailable && error.remedy == .retry(after: nil))
        #expect(error.delivery == .answeredUnclear)
    }

    @Test func `another field in the file counts from the next reading of the store`() async throws {
        let place = try KeyPlace()
        defer { place.remove() }
        let transport = StubTransport { [time] request in
            let user = request.fields.first(named: "x-user") ?? ""
            return .stub(request, body: #"{"accessToken":"of-\#(user)","expiresIn":600}"#, at: time.now)
        }
        let store = InMemoryStore()
        func token() async throws -> Secret {
            var configuration = BackendConfiguration(url: "https://api.app.example/access-token")
            configuration.fieldFile = place.directory + "/fields"
            let provider = try BackendProvider(configuration, transport: transport)
            let vault = try await Vault.open(store, keySource: EnvironmentKey(name: "k") { _ in SampleApp.key })
            let session = Session(provider.credentialID(slot: "app"), provider: provider, vault: vault, time: time)
            return try await session.token().token.value
        }
        _ = try place.write("X-User: u-1\n", to: "fields")
        #expect(try await token() == Secret("of-u-1"))
        #expect(try await token() == Secret("of-u-1"))
        #expect(transport.requests.count == 1)
        _ = try place.write("X-User: u-2\n", to: "fields")
        #expect(try await token() == Secret("of-u-2"))
    }
}
