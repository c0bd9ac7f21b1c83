import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// The service account's flow: a key from a file, one token for each key.
@Suite struct ServiceAccountTests {
    private let service = IdentityService()
    private var configuration: NianticConfiguration {
        var configuration = NianticConfiguration()
        configuration.identityURL = IdentityService.url
        return configuration
    }

    private func pool() async throws -> ServiceAccountPool {
        let vault = try await Vault.open(InMemoryStore(), keySource: EnvironmentKey(name: "k") { _ in SampleApp.key })
        return ServiceAccountPool(
            configuration: configuration,
            transport: service.transport,
            vault: vault,
            time: service.time
        )
    }

    @Test func `the request has grantType and apiKey, and nothing of the sample sign-in`() async throws {
        let place = try KeyPlace()
        defer { place.remove() }
        let pool = try await pool()
        try await pool.add(ServiceAccount(name: "a", keyFile: try place.write("key-1\n")))
        let issued = try await pool.token(of: "a")
        let request = try #require(service.requests.first)
        let body = IdentityService.body(request)
        #expect(body.names == ["grantType", "apiKey"])
        #expect(body["grantType"] == "exchange_api_key_access_token")
        #expect(body["apiKey"] == "key-1")
        #expect(request.fields.first(named: "cookie") == nil)
        #expect(request.carriesCredential)
        #expect(SampleToken.name(of: issued.token) == "access-1")
    }

    @Test func `one token serves many calls, and is renewed within a minute of its end`() async throws {
        let place = try KeyPlace()
        defer { place.remove() }
        let pool = try await pool()
        try await pool.add(ServiceAccount(name: "a", keyFile: try place.write("key-1")))
        for _ in 0..<5 { _ = try await pool.token(of: "a") }
        #expect(service.grants.count == 1)
        service.time.advance(by: .seconds(3539))
        _ = try await pool.token(of: "a")
        #expect(service.grants.count == 1)
        service.time.advance(by: .seconds(2))
        #expect(SampleToken.name(of: try await pool.token(of: "a").token) == "access-2")
        #expect(service.grants.count == 2)
    }

    @Test func `many callers at once make one exchange`() async throws {
        let place = try KeyPlace()
        defer { place.remove() }
        let pool = try await pool()
        try await pool.add(ServiceAccount(name: "a", keyFile: try place.write("key-1")))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<32 { group.addTask { _ = try await pool.token(of: "a") } }
            try await group.waitForAll()
        }
        #expect(service.grants.count == 1)
    }

    @Test func `a tenant may have several accounts; the same key makes one token, another key another`() async throws {
        let place = try KeyPlace()
        defer { place.remove() }
        let pool = try await pool()
        let (one, two) = (try place.write("key-1"), try place.write("key-2", to: "other"))
        try await pool.add(ServiceAccount(name: "maps", tenant: "acme", keyFile: one))
        try await pool.add(ServiceAccount(name: "sites", tenant: "acme", keyFile: two))
        try await pool.add(ServiceAccount(name: "maps", tenant: "beta", keyFile: one))
        #expect(await pool.accounts(of: "acme") == ["maps", "sites"])
        let maps = try await pool.token(of: "maps", tenant: "acme").token.value
        #expect(try await pool.token(of: "sites", tenant: "acme").token.value != maps)
        #expect(try await pool.token(of: "maps", tenant: "beta").token.value == maps)
        #expect(service.grants.count == 2)
    }

    @Test func `more members of the body go with the request, and make a token of their own`() async throws {
        let place = try KeyPlace()
        defer { place.remove() }
        let pool = try await pool()
        let file = try place.write("key-1")
        try await pool.add(ServiceAccount(name: "a", keyFile: file))
        try await pool.add(ServiceAccount(name: "b", keyFile: file, extraMembers: ["userId": "u-1", "grantType": "x"]))
        _ = try await pool.token(of: "a")
        _ = try await pool.token(of: "b")
        let body = IdentityService.body(service.requests[1])
        #expect(body["userId"] == "u-1")
        #expect(body["grantType"] == "exchange_api_key_access_token")
    }

    @Test func `an account that was removed is one that was not added, and others keep theirs`() async throws {
        let place = try KeyPlace()
        defer { place.remove() }
        let pool = try await pool()
        let file = try place.write("key-1")
        for tenant in ["acme", "beta"] {
            try await pool.add(ServiceAccount(name: "maps", tenant: tenant, keyFile: file))
        }
        let token = try await pool.token(of: "maps", tenant: "acme").token.value
        #expect(await pool.remove("maps", tenant: "acme"))
        #expect(await !pool.remove("maps", tenant: "acme"))
        let error = try await failure { try await pool.token(of: "maps", tenant: "acme") }
        #expect(error.reason == .invalidConfiguration)
        #expect(await pool.accounts(of: "acme").isEmpty)
        #expect(try await pool.token(of: "maps", tenant: "beta").token.value == token)
    }

    @Test func `an account that was not added is a matter of configuration`() async throws {
        let pool = try await pool()
        #expect(try await failure { try await pool.token(of: "x") }.reason == .invalidConfiguration)
    }

    @Test func `a refused key asks for another one, and shows nothing of it`() async throws {
        let place = try KeyPlace()
        defer { place.remove() }
        let pool = try await pool()
        try await pool.add(ServiceAccount(name: "a", keyFile: try place.write("revoked-key")))
        let error = try await failure { try await pool.token(of: "a") }
        #expect(error.reason == .apiKeyRefused)
        #expect(error.remedy == .fixConfiguration)
        #expect(!"\(error)".contains("revoked-key"))
    }

    @Test func `a new key in the file counts at the next exchange`() async throws {
        let place = try KeyPlace()
        defer { place.remove() }
        let pool = try await pool()
        try await pool.add(ServiceAccount(name: "a", keyFile: try place.write("key-1")))
        _ = try await pool.token(of: "a")
        service.withState { $0.keys = ["key-3"] }
        _ = try place.write("key-3")
        service.time.advance(by: .seconds(3600))
        _ = try await pool.token(of: "a")
        #expect(IdentityService.body(service.requests[1])["apiKey"] == "key-3")
    }

    @Test(arguments: ["", "two words", "\u{7}"])
    func `a file that holds no key is named`(_ text: String) async throws {
        let place = try KeyPlace()
        defer { place.remove() }
        let pool = try await pool()
        let account = ServiceAccount(name: "a", keyFile: try place.write(text))
        let error = try await failure { try await pool.add(account) }
        #expect(error.reason == .apiKeyUnusable)
        #expect(error.detail.contains(account.keyFile))
    }

    @Test func `a missing file is named, and one that others can read is refused`() async throws {
        let place = try KeyPlace()
        defer { place.remove() }
        let pool = try await pool()
        let missing = ServiceAccount(name: "a", keyFile: place.directory + "/none")
        #expect(try await failure { try await pool.add(missing) }.detail.contains("/none"))
        let loose = try place.write("key-1", mode: 0o644)
        let error = try await failure { try await pool.add(ServiceAccount(name: "a", keyFile: loose)) }
        #expect(error.reason == .apiKeyUnusable)
        try await pool.add(ServiceAccount(name: "a", keyFile: loose, insecureFileModes: true))
    }

    @Test func `a token without any end lives an hour, as documented`() async throws {
        let place = try KeyPlace()
        defer { place.remove() }
        service.script { script in
            script.claims = { _, body in
                body["accessToken"] = "opaque"
                body["expiresAt"] = nil
            }
        }
        let pool = try await pool()
        try await pool.add(ServiceAccount(name: "a", keyFile: try place.write("key-1")))
        let token = try await pool.token(of: "a").token
        #expect(token.expiry.remaining(at: service.time.now) == .lasts(.seconds(3600)))
    }

    @Test func `nobody has to sign in, and a worker may renew it`() throws {
        let account = ServiceAccount(name: "a", keyFile: "/nowhere")
        let provider = try ServiceAccountProvider(account, transport: StubTransport())
        #expect(!provider.traits.needsSignIn && !provider.traits.needsCallback)
        #expect(provider.traits.refresh == .niantic)
    }
}
