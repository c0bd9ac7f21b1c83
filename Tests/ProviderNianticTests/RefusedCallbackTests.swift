import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// A stranger's callback in the form of a token: its refusal is told, and the person's own is still waited for.
@Suite(.timeLimit(.minutes(1))) struct RefusedCallbackTests {
    /// A sign-in whose system hands callbacks over, and what it told of refused ones.
    private struct Waiting {
        let app: SampleApp
        let agent: CallbackUserAgent
        let signIn: Task<StoredCredential, any Error>
        let told: AsyncStream<NianticError>

        init(confirm: SignInConfirmation? = nil, check: TokenCheck? = nil) async throws {
            let (told, telling) = AsyncStream.makeStream(of: NianticError.self)
            let app = try SampleApp(confirm: confirm, refused: { telling.yield($0) }, check: check)
            let pages = OpenedPages()
            let agent = CallbackUserAgent { pages.open($0) }
            (self.app, self.agent, self.told) = (app, agent, told)
            signIn = Task { try await app.establish(agent) }
            _ = await pages.next()
        }

        /// A token that nobody issued.
        func forged(_ number: Int = 666) -> String {
            SampleToken.make("session", number, ends: app.time.now.wall + .seconds(3600))
        }

        /// Hands a callback over once the sign-in waits again.
        func offer(_ token: String) async -> CallbackUserAgent.Verdict {
            while !Task.isCancelled {
                let verdict = agent.handleCallback(app.callback(token))
                guard verdict == .nobodyWaits else { return verdict }
                await Task.yield()
            }
            return .nobodyWaits
        }

        /// How it ends; with the test at the latest.
        func outcome() async throws -> StoredCredential {
            try await withTaskCancellationHandler {
                try await signIn.value
            } onCancel: {
                signIn.cancel()
            }
        }

        func nextRefusal() async -> NianticError? {
            for await refusal in told { return refusal }
            return nil
        }
    }

    @Test func `a token that the service refuses ends nothing, and the person's own is taken after it`() async throws {
        let waiting = try await Waiting()
        #expect(await waiting.offer(waiting.forged()) == .accepted)
        #expect(await waiting.nextRefusal()?.reason == .sessionRefused)
        #expect(await waiting.offer(waiting.app.service.browserSignIn()) == .accepted)
        #expect(try await waiting.outcome().account?.subject == "user-1")
        #expect(waiting.app.service.requests.count == 2)
    }

    @Test func `a token that a check refuses is not sent, and the person's own is taken after it`() async throws {
        struct Forged: Error {}
        let waiting = try await Waiting(check: { token, _ in
            if SampleToken.name(of: token.reveal()) == "session-666" { throw Forged() }
        })
        #expect(await waiting.offer(waiting.forged()) == .accepted)
        #expect(await waiting.nextRefusal()?.reason == .invalidSessionToken)
        #expect(waiting.app.service.requests.isEmpty)
        #expect(await waiting.offer(waiting.app.service.browserSignIn()) == .accepted)
        _ = try await waiting.outcome()
    }

    @Test func `a token that names somebody else after its rotation ends nothing`() async throws {
        let waiting = try await Waiting()
        let end = waiting.app.time.now.wall + .seconds(9999)
        let other = SampleToken.make("session", 7, subject: "attacker", ends: end)
        waiting.app.service.script { $0.cookies = { _ in ["refresh_token=\(other)"] } }
        #expect(await waiting.offer(waiting.app.service.browserSignIn()) == .accepted)
        #expect(await waiting.nextRefusal()?.reason == .accountChanged)
        waiting.app.service.script { $0.cookies = { ["refresh_token=\($0)"] } }
        #expect(await waiting.offer(waiting.app.service.browserSignIn()) == .accepted)
        _ = try await waiting.outcome()
    }

    @Test func `a token that was refused is not tried again`() async throws {
        let waiting = try await Waiting()
        #expect(await waiting.offer(waiting.forged()) == .accepted)
        _ = await waiting.nextRefusal()
        #expect(await waiting.offer(waiting.forged()) == .refused)
        #expect(await waiting.offer(waiting.app.service.browserSignIn()) == .accepted)
        _ = try await waiting.outcome()
        #expect(waiting.app.service.requests.count == 2)
    }

    @Test func `after sixteen of them the next may come after a rest, and the person's own is still taken`()
        async throws
    {
        let waiting = try await Waiting()
        for number in 1...16 { #expect(await waiting.offer(waiting.forged(600 + number)) == .accepted) }
        for _ in 1...16 { _ = await waiting.nextRefusal() }
        // What ends the wait sleeps, and so does the rest.
        await waiting.app.time.waitForSleepers(2)
        let own = waiting.app.service.browserSignIn()
        #expect(waiting.agent.handleCallback(waiting.app.callback(own)) == .nobodyWaits)
        waiting.app.time.advance(by: .seconds(5))
        #expect(await waiting.offer(own) == .accepted)
        _ = try await waiting.outcome()
        #expect(waiting.app.service.requests.count == 17)
    }

    @Test func `a callback that the person says no to is not sent, and the person's own is taken after it`()
        async throws
    {
        let waiting = try await Waiting(confirm: { $0.account?.subject == "user-1" ? .signIn : .waitForAnother })
        #expect(await waiting.offer(waiting.app.service.browserSignIn(subject: "attacker")) == .accepted)
        #expect(await waiting.nextRefusal()?.reason == .callbackDeclined)
        #expect(waiting.app.service.requests.isEmpty)
        #expect(await waiting.offer(waiting.app.service.browserSignIn()) == .accepted)
        #expect(try await waiting.outcome().account?.subject == "user-1")
    }

    @Test func `a cancelled sign-in ends`() async throws {
        let waiting = try await Waiting(confirm: { _ in .cancel })
        #expect(await waiting.offer(waiting.app.service.browserSignIn()) == .accepted)
        #expect(try await failure { try await waiting.outcome() }.reason == .signInDeclined)
        #expect(waiting.app.service.requests.isEmpty)
    }

    @Test func `another account's callback and the page's errors are told at once, each once, sixteen at most`()
        async throws
    {
        let told = Recorder<NianticError>()
        let app = try SampleApp(refused: { told.add($0) })
        let held = try await app.establish()
        let pages = OpenedPages()
        let agent = CallbackUserAgent { pages.open($0) }
        let signIn = Task { try await app.establish(agent, previous: held) }
        _ = await pages.next()
        let other = app.callback(app.service.browserSignIn(subject: "attacker"))
        for _ in 1...2 { #expect(agent.handleCallback(other) == .refused) }
        #expect(told.all.map(\.reason) == [.accountChanged])
        let error = "\(SampleApp.redirect)?error=access_denied&error_description=not%20you"
        #expect(agent.handleCallback(error) == .refused)
        #expect(told.all.last?.reason == .pageRefused)
        #expect(told.all.last?.detail.contains("access_denied (not you)") == true)
        for number in 1...20 { _ = agent.handleCallback("\(SampleApp.redirect)?error=e\(number)") }
        #expect(told.all.count == 16)
        #expect(agent.handleCallback(app.callback(app.service.browserSignIn())) == .accepted)
        _ = try await signIn.value
    }

    @Test func `a token that fits into no cookie is not taken`() async throws {
        let waiting = try await Waiting()
        let end: JSONValue = .integer((waiting.app.time.now.wall + .seconds(3600)).seconds)
        func token(_ filling: Int) -> String {
            SampleToken.jwt(["sub": "user-1", "exp": end, "x": .string(String(repeating: "x", count: filling))])
        }
        #expect(token(7000).utf8.count > 8000)
        #expect(await waiting.offer(token(7000)) == .refused)
        #expect(await waiting.offer(token(5000)) == .accepted)
        #expect(await waiting.nextRefusal()?.reason == .sessionRefused)
        waiting.signIn.cancel()
    }

    /// Keeps what an earlier wait accepts by, as one who looked at a callback for so long does.
    private final class SlowLooker: UserAgent, RedirectReceiver {
        let first: String
        let second: String
        private let accepting = Guarded<(@Sendable (RedirectAnswer) -> Bool)?>(nil)
        let late = Recorder<Bool>()

        init(first: String, second: String) { (self.first, self.second) = (first, second) }

        var redirectURI: String { SampleApp.redirect }
        var canWaitAgain: Bool { true }

        func prepare(_ redirects: [String]) async throws -> any RedirectReceiver { self }

        func present(
            _ url: String,
            accepting: @escaping @Sendable (RedirectAnswer) -> Bool
        ) async throws -> RedirectAnswer {
            self.accepting.withLock { $0 = accepting }
            let answer = RedirectAnswer(parameters: [("refreshToken", first)])
            #expect(accepting(answer))
            return answer
        }

        func waitAgain(
            refusing refusal: String,
            accepting: @escaping @Sendable (RedirectAnswer) -> Bool
        ) async throws -> RedirectAnswer {
            let answer = RedirectAnswer(parameters: [("refreshToken", second)])
            let earlier = self.accepting.withLock { $0 }
            late.add(earlier?(answer) ?? true)
            guard accepting(answer) else { throw CancellationError() }
            return answer
        }

        func finish(_ outcome: SignInOutcome) async {}
    }

    @Test func `who looked at a callback while another was refused takes nothing in the next wait's place`()
        async throws
    {
        let app = try SampleApp()
        let forged = SampleToken.make("session", 666, ends: app.time.now.wall + .seconds(3600))
        let looker = SlowLooker(first: forged, second: app.service.browserSignIn())
        #expect(try await app.establish(looker).account?.subject == "user-1")
        #expect(looker.late.all == [false])
    }

    @Test func `a wait that ends by time says why the last callback was refused`() async throws {
        let waiting = try await Waiting()
        #expect(await waiting.offer(waiting.forged()) == .accepted)
        _ = await waiting.nextRefusal()
        #expect(await waiting.offer("x") == .refused)
        await waiting.app.time.waitForSleepers(1)
        waiting.app.time.advance(by: .seconds(120))
        let error = try await failure { try await waiting.outcome() }
        #expect(error.reason == .signInTimedOut)
        #expect(error.detail.contains("refused the session token (status 401: invalid session)"))
    }

    @Test func `a service that cannot answer says nothing of the token, and ends the sign-in`() async throws {
        let waiting = try await Waiting()
        waiting.app.service.script { script in
            script.replace = { _, response in
                HTTPResponse(status: 503, fields: [], body: [], url: response.url, receivedAt: response.receivedAt)
            }
        }
        #expect(await waiting.offer(waiting.app.service.browserSignIn()) == .accepted)
        let error = try await failure { try await waiting.outcome() }
        #expect(error.reason == .unavailable)
        #expect(error.remedy == .retry(after: nil))
    }

    @Test func `an agent that takes one answer ends with the refusal`() async throws {
        let told = Recorder<NianticError>()
        let app = try SampleApp(refused: { told.add($0) })
        let forged = SampleToken.make("session", 666, ends: app.time.now.wall + .seconds(3600))
        let browser = app.agent([app.callback(forged)])
        #expect(try await failure { try await app.establish(browser) }.reason == .sessionRefused)
        #expect(told.all.isEmpty)
    }

    /// A sign-in of a session, with the window that ends of the process wait for.
    private func begin(_ app: SampleApp) async throws -> (CallbackUserAgent, SaveWindow, Task<SignInReport, any Error>)
    {
        let (pages, window) = (OpenedPages(), SaveWindow())
        let agent = CallbackUserAgent { pages.open($0) }
        let vault = try await app.vault()
        let session = Session(app.id, provider: app.provider, vault: vault, time: app.time, saveWindow: window)
        let signIn = Task { try await session.signIn(through: agent) }
        _ = await pages.next()
        return (agent, window, signIn)
    }

    @Test func `once the person has the word again, nothing keeps caller and process from leaving`() async throws {
        let (told, telling) = AsyncStream.makeStream(of: NianticError.self)
        let app = try SampleApp(refused: { telling.yield($0) })
        let (agent, window, signIn) = try await begin(app)
        let wasIdle = Recorder<Bool>()
        app.service.script { $0.before = { _ in wasIdle.add(window.isIdle) } }
        let forged = SampleToken.make("session", 666, ends: app.time.now.wall + .seconds(3600))
        #expect(agent.handleCallback(app.callback(forged)) == .accepted)
        for await _ in told { break }
        #expect(wasIdle.all == [false])
        #expect(window.isIdle)
        signIn.cancel()
        await #expect(throws: CancellationError.self) { try await signIn.value }
        #expect(agent.handleCallback(app.callback(app.service.browserSignIn())) == .nobodyWaits)
        #expect(try await app.stored() == nil)
    }

    @Test func `where the caller left while a stranger's token was tried, nobody waits on`() async throws {
        let told = Recorder<NianticError>()
        let app = try SampleApp(refused: { told.add($0) })
        let (agent, window, signIn) = try await begin(app)
        app.service.script { $0.before = { _ in signIn.cancel() } }
        let forged = SampleToken.make("session", 666, ends: app.time.now.wall + .seconds(3600))
        #expect(agent.handleCallback(app.callback(forged)) == .accepted)
        await #expect(throws: CancellationError.self) { try await signIn.value }
        // Another sign-in can begin only when that one has ended.
        while (try? await agent.prepare([SampleApp.redirect])) == nil {
            try Task.checkCancellation()
            await Task.yield()
        }
        while !window.isIdle { await Task.yield() }
        #expect(told.all.isEmpty)
        #expect(app.service.requests.count == 1)
    }
}
