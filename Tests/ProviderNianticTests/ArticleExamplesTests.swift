import AuthKitCore
import AuthKitTesting
import Foundation
import ProviderNiantic
import Testing

/// The articles' code, run: every line of a block stands here as it stands there.
///
/// The blocks take the system's clock, so the service begins at that time too.
@Suite(.timeLimit(.minutes(1))) struct ArticleExamplesTests {
    private let service = IdentityService(time: ManualTime(wall: SystemTime().now.wall))

    private func makeVault() async throws -> Vault {
        try await Vault.open(InMemoryStore(), keySource: EnvironmentKey(name: "k") { _ in SampleApp.key })
    }

    @Test func `the module's page: a provider, a session, and access over it`() async throws {
        let (transport, vault) = (service.transport, try await makeVault())
        let nsdkSession = TokenSink()

        let provider = try NianticProvider(NianticConfiguration(redirectType: .external), transport: transport)
        let session = Session(provider.credentialID(slot: "main"), provider: provider, vault: vault)
        let access = NSDKAccess(session, scheduler: RefreshScheduler(backoff: .niantic))
        let subscription = await access.subscribe(nsdkSession)
        await access.start()

        #expect(nsdkSession.given.isEmpty)
        let redirect = "nsdk-external://signin/redirect"
        let callback = "\(redirect)?refreshToken=\(service.browserSignIn())"
        let report = try await access.login(through: ScriptedBrowser(redirect: redirect, callbacks: [callback]))
        #expect(report.account?.subject == "user-1")
        #expect(nsdkSession.given == ["access-1"])
        await access.stop()
        await subscription.cancel()
    }

    @Test func `the sample's files replaced: from the configuration to the logout`() async throws {
        let (transport, vault) = (service.transport, try await makeVault())
        let nsdkSession = TokenSink()
        let (questions, opened, attempts) = (Recorder<String>(), Recorder<String>(), Recorder<String>())
        let told = Recorder<String>()
        let (pages, browser) = AsyncStream.makeStream(of: String.self)
        @Sendable func askPerson(_ question: String) async -> Bool {
            questions.add(question)
            return true
        }
        @Sendable func tellPerson(_ sentence: String) { told.add(sentence) }
        @Sendable func openInBrowser(_ page: String) async {
            opened.add(page)
            browser.yield(page)
        }
        func localize(with token: Secret) async throws {
            attempts.add(SampleToken.name(of: token.reveal()) ?? "opaque")
            guard attempts.all.count > 1 else {
                throw NianticError(.tokenRejected, "The service refused the token.", remedy: .signInAgain)
            }
        }

        var configuration = NianticConfiguration(redirectType: .samples)
        configuration.signInURL = "https://site.example/signin"
        configuration.signOutURL = "https://site.example/signout"

        let provider = try NianticProvider(
            configuration,
            transport: transport,
            confirm: { proposal in
                let who = proposal.account?.displayName ?? "somebody"
                return await askPerson("Sign in as \(who)?") ? .signIn : .waitForAnother
            },
            refused: { refusal in tellPerson(refusal.detail) }
        )
        let session = Session(provider.credentialID(slot: "main"), provider: provider, vault: vault)

        let agent = CallbackUserAgent { page in
            await openInBrowser(page)
        }

        // The person and the system: each page leads to a URL that the app is opened with.
        let system = Task { [service] in
            for await _ in pages {
                let url = "\(SampleApp.redirect)?refreshToken=\(service.browserSignIn())"
                agent.handleCallback(url)
            }
        }
        defer { system.cancel() }

        let access = NSDKAccess(session, scheduler: RefreshScheduler(backoff: .niantic))
        let subscription = await access.subscribe(nsdkSession)
        await access.start()
        let report = try await access.login(through: agent)

        #expect(opened.all == ["https://site.example/signin?redirectType=nsdk-samples"])
        #expect(questions.all == ["Sign in as user-1@mail.example?"])
        #expect(told.all.isEmpty)
        #expect(report.account?.subject == "user-1")
        #expect(nsdkSession.given == ["access-1"])

        var retry = AuthorizationRetry()
        retry.occasion = .authorizationAndTransient
        retry.forcesRefresh = true
        try await retry.run(on: access) { token in
            try await localize(with: token)
        }

        #expect(attempts.all == ["access-1", "access-2"])
        #expect(nsdkSession.given == ["access-1", "access-2"])

        let signOut = try await access.logout()

        #expect(signOut.wasSignedIn)
        #expect(signOut.endSession?.printable == "https://site.example/signout")
        #expect(nsdkSession.given == ["access-1", "access-2", "cleared"])
        #expect(try await vault.load(session.id)?.credential.state == .signedOut)
        await access.stop()
        await subscription.cancel()
    }

    @Test func `on the server: a pool of service accounts`() async throws {
        let place = try KeyPlace()
        defer { place.remove() }
        let (transport, vault) = (service.transport, try await makeVault())
        let keyFile = try place.write("key-1\n")

        let pool = ServiceAccountPool(transport: transport, vault: vault)
        try await pool.add(ServiceAccount(name: "maps", tenant: "acme", keyFile: keyFile))
        let issued = try await pool.token(of: "maps", tenant: "acme")

        #expect(SampleToken.name(of: issued.token) == "access-1")
        #expect(service.grants == ["exchange_api_key_access_token"])
        #expect(await pool.accounts(of: "acme") == ["maps"])
    }

    @Test func `in the app: its own back end, and a login after a logout`() async throws {
        let vault = try await makeVault()
        let (asked, nsdkSession) = (Recorder<String>(), TokenSink())
        let time = service.time
        let transport = StubTransport { request in
            asked.add("\(request.url.text) as \(request.fields.first(named: "authorization") ?? "nobody")")
            let token = SampleToken.make("backend", asked.all.count, ends: time.now.wall + .seconds(3600))
            return .stub(request, body: #"{"accessToken":"\#(token)","expiresIn":3600}"#, at: time.now)
        }
        @Sendable func currentUserToken() async throws -> String { "user-token-\(asked.all.count + 1)" }

        let backend = BackendConfiguration(url: "https://api.example.com/nsdk/access-token")
        let provider = try BackendProvider(backend, transport: transport) {
            let token = try await currentUserToken()
            return [HTTPField("Authorization", secret: Secret("Bearer \(token)"))]
        }

        let session = Session(provider.credentialID(slot: "app"), provider: provider, vault: vault)
        let access = NSDKAccess(session, scheduler: RefreshScheduler(backoff: .niantic))
        let subscription = await access.subscribe(nsdkSession)
        #expect(await access.start() == nil)
        try await access.logout()

        try await access.login()

        #expect(nsdkSession.given == ["backend-1", "cleared", "backend-2"])
        #expect(
            asked.all == [
                "https://api.example.com/nsdk/access-token as Bearer user-token-1",
                "https://api.example.com/nsdk/access-token as Bearer user-token-2",
            ]
        )
        await access.stop()
        await subscription.cancel()
    }
}

/// The articles hold no code but what runs above, and name every file that the document names.
@Suite struct ArticleTextTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func lines(of path: String) throws -> [String] {
        String(decoding: try Data(contentsOf: Self.root.appendingPathComponent(path)), as: UTF8.self)
            .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    private func article(_ name: String) throws -> [String] {
        try lines(of: "Sources/ProviderNiantic/Documentation.docc/\(name)")
    }

    /// The lines of each Swift block.
    private func blocks(in article: [String]) -> [[String]] {
        var blocks: [[String]] = []
        var isInside = false
        for line in article {
            if line.hasPrefix("```") {
                isInside = line == "```swift"
                if isInside { blocks.append([]) }
            } else if isInside {
                blocks[blocks.count - 1].append(line)
            }
        }
        return blocks
    }

    @Test(arguments: [("ProviderNiantic.md", 1), ("FromSampleToProduction.md", 10)])
    func `each block of an article stands in a test that runs`(_ name: String, _ count: Int) throws {
        let blocks = blocks(in: try article(name))
        #expect(blocks.count == count)
        let code = try lines(of: "Tests/ProviderNianticTests/ArticleExamplesTests.swift")
        for block in blocks {
            let stands = !block.isEmpty && code.indices.contains { code[$0...].starts(with: block) }
            #expect(stands, "\(name): \(block.joined(separator: " / "))")
        }
    }

    @Test func `no other article has code`() throws {
        let folder = Self.root.appendingPathComponent("Sources/ProviderNiantic/Documentation.docc").path
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".md") }
        #expect(names.sorted() == ["FromSampleToProduction.md", "ProviderNiantic.md"])
    }

    @Test(arguments: [
        (
            "Swift",
            ["AuthConstants", "AuthRequests", "AuthRetryHelper", "AuthUtils", "LoginManager", "NSSampleSessionManager"]
        ),
        (
            "Kotlin",
            [
                "AuthConstants", "AuthManager", "AuthRequests", "AuthRetryHelper", "AuthUtils", "LoginManager",
                "NSSampleSessionManager", "TokenStorage",
            ]
        ),
        (
            "Unity",
            [
                "AuthEndpoints", "AuthManager", "AuthRequests", "AuthRetryHelper", "LoginManager",
                "NSSampleSessionManager",
            ]
        ),
    ])
    func `each file of a platform's samples has its row`(_ platform: String, _ files: [String]) throws {
        let rows = try article("FromSampleToProduction.md").filter { $0.hasPrefix("| `") }
            .map { row in row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
        #expect(rows.allSatisfy { $0.count == 4 })
        let named = rows.filter { $0[1].components(separatedBy: ", ").contains(platform) }
            .map { $0[0].trimmingCharacters(in: CharacterSet(charactersIn: "`")) }
        #expect(named.sorted() == files)
    }
}
