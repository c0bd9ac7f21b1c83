import AuthKitCore
import AuthKitTesting
import Foundation
import ProviderNiantic
import Testing

/// The code of the catalog's articles, run; each block stands here as it stands there.
@Suite(.timeLimit(.minutes(1))) struct ArticleExamplesTests {
    private func vault() async throws -> Vault {
        try await Vault.open(InMemoryStore(), keySource: EnvironmentKey(name: "k") { _ in SampleApp.key })
    }

    @Test func `From the sample login to production: sign in, use, log out`() async throws {
        let service = IdentityService()
        let transport = service.transport
        let vault = try await vault()
        let nsdkSession = TokenSink()
        let asked = Recorder<String>()
        @Sendable func askPerson(_ question: String) async -> Bool {
            asked.add(question)
            return true
        }
        let redirect = SampleApp.redirect
        let agent = ScriptedBrowser(
            redirect: redirect,
            callbacks: ["\(redirect)?refreshToken=\(service.browserSignIn())"]
        )

        let configuration = NianticConfiguration(redirectType: .samples)

        let provider = try NianticProvider(configuration, transport: transport) { proposal in
            await askPerson("Sign in as \(proposal.account?.displayName ?? "somebody")?")
        }

        let session = Session(provider.credentialID(slot: "main"), provider: provider, vault: vault)
        let access = NSDKAccess(session, scheduler: RefreshScheduler(backoff: .niantic))
        let subscription = await access.subscribe(nsdkSession)
        await access.start()
        let report = try await access.login(through: agent)

        #expect(asked.all == ["Sign in as user-1@mail.example?"])
        #expect(report.account?.subject == "user-1")
        #expect(nsdkSession.given == ["access-1"])

        let localized = Recorder<String?>()
        func localize(with token: Secret) async throws {
            localized.add(SampleToken.name(of: token.reveal()))
            guard localized.all.count > 1 else {
                throw NianticError(.tokenRejected, "Refused.", remedy: .signInAgain)
            }
        }

        var retry = AuthorizationRetry()
        retry.occasion = .authorizationAndTransient
        retry.forcesRefresh = true
        try await retry.run(on: access) { token in
            try await localize(with: token)
        }

        #expect(localized.all == ["access-1", "access-2"])

        try await access.logout()

        #expect(nsdkSession.given.first == "access-1" && nsdkSession.given.last == "cleared")
        await access.stop()
        await subscription.cancel()
    }

    @Test func `From the sample login to production: service accounts on the server`() async throws {
        let service = IdentityService()
        let transport = service.transport
        let vault = try await vault()
        let place = try KeyPlace()
        defer { place.remove() }
        let acmeKeyFile = try place.write("key-1")

        let pool = ServiceAccountPool(transport: transport, vault: vault)
        try await pool.add(ServiceAccount(name: "maps", tenant: "acme", keyFile: acmeKeyFile))
        let issued = try await pool.token(of: "maps", tenant: "acme")

        #expect(SampleToken.name(of: issued.token) == "access-1")
        #expect(service.requests.map { IdentityService.body($0)["apiKey"] } == ["key-1"])
    }

    @Test func `From the sample login to production: an own back end in the app`() async throws {
        let vault = try await vault()
        let time = ManualTime()
        let transport = StubTransport { request in
            .stub(request, body: #"{"accessToken":"from-the-back-end","expiresIn":3600}"#, at: time.now)
        }
        @Sendable func currentUserToken() async throws -> String { "own-token" }

        let backend = BackendConfiguration(url: "https://api.example.com/nsdk/access-token")
        let ownProvider = try BackendProvider(backend, transport: transport) {
            [HTTPField("Authorization", secret: Secret("Bearer \(try await currentUserToken())"))]
        }
        let ownSession = Session(ownProvider.credentialID(slot: "main"), provider: ownProvider, vault: vault)
        let production = NSDKAccess(ownSession, scheduler: RefreshScheduler(backoff: .niantic))

        try await production.login()
        #expect(await production.isAuthorized)
        let request = try #require(transport.requests.first)
        #expect(request.fields.first(named: "authorization") == "Bearer own-token")
        #expect(request.url.text == "https://api.example.com/nsdk/access-token")
    }

    @Test func `ProviderNiantic: the overview`() async throws {
        let service = IdentityService()
        let transport = service.transport
        let vault = try await vault()
        let nsdkSession = TokenSink()

        let provider = try NianticProvider(NianticConfiguration(redirectType: .external), transport: transport)
        let session = Session(provider.credentialID(slot: "main"), provider: provider, vault: vault)
        let access = NSDKAccess(session, scheduler: RefreshScheduler(backoff: .niantic))
        let subscription = await access.subscribe(nsdkSession)
        await access.start()

        #expect(nsdkSession.given.isEmpty)
        #expect(await !access.isAuthorized)
        await access.stop()
        await subscription.cancel()
    }

    private static let catalog = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Sources/ProviderNiantic/Documentation.docc")

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    @Test(arguments: [("FromSampleToProduction.md", 7), ("ProviderNiantic.md", 1)])
    func `each block of Swift in an article is the code that runs here`(_ name: String, _ count: Int) throws {
        let article = try String(contentsOf: Self.catalog.appendingPathComponent(name), encoding: .utf8)
        let here = "\n" + Self.lines(try String(contentsOfFile: #filePath, encoding: .utf8)).joined(separator: "\n")
        let blocks = article.components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
        #expect(blocks.count == count)
        for block in blocks {
            let code = Self.lines(block).joined(separator: "\n")
            #expect(!code.isEmpty && here.contains("\n\(code)\n"), "\(code)")
        }
    }

    @Test(arguments: [
        "LoginManager", "NSSampleSessionManager", "AuthRequests", "AuthUtils", "AuthConstants", "AuthRetryHelper",
        "AuthManager", "TokenStorage", "AuthEndpoints",
    ])
    func `each file of the document's tables has a row in the article`(_ file: String) throws {
        let article = try String(
            contentsOf: Self.catalog.appendingPathComponent("FromSampleToProduction.md"),
            encoding: .utf8
        )
        let rows = article.split(separator: "\n").filter { $0.hasPrefix("| `") && $0.contains("`\(file)`") }
        #expect(rows.count == 1)
        // Sample, replacement, difference: none of the three is empty.
        #expect(rows.first?.split(separator: "|").count { !$0.allSatisfy { $0 == " " } } == 3)
    }
}
