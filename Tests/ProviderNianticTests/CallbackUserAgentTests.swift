import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// Callback URLs as a system hands them to an app: from another application, twice, late, malformed.
@Suite struct CallbackUserAgentTests {
    /// Tells when the page was opened, which is when callbacks may come.
    private final class Page: Sendable {
        private let urls: AsyncStream<String>
        private let opened: AsyncStream<String>.Continuation

        init() { (urls, opened) = AsyncStream.makeStream() }

        func open(_ url: String) { opened.yield(url) }

        func wait() async -> String? {
            for await url in urls { return url }
            return nil
        }
    }

    private func begin(_ app: SampleApp) async -> (CallbackUserAgent, Task<StoredCredential, any Error>) {
        let page = Page()
        let agent = CallbackUserAgent { page.open($0) }
        let signIn = Task { try await app.establish(agent) }
        _ = await page.wait()
        return (agent, signIn)
    }

    @Test func `a callback that comes while nobody signs in is ignored`() async throws {
        let app = try SampleApp()
        let agent = CallbackUserAgent { _ in }
        #expect(agent.handleCallback(app.callback(app.service.browserSignIn())) == .nobodyWaits)
        #expect(app.service.requests.isEmpty)
    }

    @Test func `a callback from another application is ignored, and the right one is still taken`() async throws {
        let app = try SampleApp()
        let (agent, signIn) = await begin(app)
        let token = app.service.browserSignIn()
        #expect(agent.handleCallback("other-app://signin/redirect?refreshToken=\(token)") == .refused)
        #expect(agent.handleCallback("nsdk-samples://evil/redirect?refreshToken=\(token)") == .refused)
        #expect(agent.handleCallback("nsdk-samples://signin/redirect?refreshToken=x") == .refused)
        #expect(agent.handleCallback(app.callback(token)) == .accepted)
        #expect(try await signIn.value.state == .signedIn)
        #expect(app.service.requests.count == 1)
    }

    @Test func `a malformed callback is ignored and ends nothing`() async throws {
        let app = try SampleApp()
        let (agent, signIn) = await begin(app)
        for url in ["", "nsdk-samples:", "nsdk-samples://signin/redirect?refreshToken=%", "\u{0}"] {
            #expect(agent.handleCallback(url) == .refused)
        }
        #expect(agent.handleCallback(app.callback(app.service.browserSignIn())) == .accepted)
        _ = try await signIn.value
    }

    @Test func `a callback that comes twice is taken once`() async throws {
        let app = try SampleApp()
        let (agent, signIn) = await begin(app)
        let url = app.callback(app.service.browserSignIn())
        #expect(agent.handleCallback(url) == .accepted)
        #expect(agent.handleCallback(url) == .nobodyWaits)
        _ = try await signIn.value
        #expect(agent.handleCallback(url) == .nobodyWaits)
        #expect(app.service.requests.count == 1)
    }

    @Test func `a callback that comes late is ignored`() async throws {
        let app = try SampleApp()
        let (agent, signIn) = await begin(app)
        await app.time.waitForSleepers(1)
        app.time.advance(by: .seconds(120))
        await #expect(throws: NianticError.self) { try await signIn.value }
        #expect(agent.handleCallback(app.callback(app.service.browserSignIn())) == .nobodyWaits)
        #expect(app.service.requests.isEmpty)
    }

    @Test func `a sign-in that was cancelled takes no callback`() async throws {
        let app = try SampleApp()
        let (agent, signIn) = await begin(app)
        signIn.cancel()
        await #expect(throws: CancellationError.self) { try await signIn.value }
        #expect(agent.handleCallback(app.callback(app.service.browserSignIn())) == .nobodyWaits)
    }

    @Test func `one sign-in waits at a time, and another may follow`() async throws {
        let app = try SampleApp()
        let (agent, signIn) = await begin(app)
        #expect(try await failure { try await agent.prepare([SampleApp.redirect]) }.remedy == .retry(after: nil))
        #expect(agent.handleCallback(app.callback(app.service.browserSignIn())) == .accepted)
        _ = try await signIn.value
        // The person is told the outcome by the session; the provider's receiver is finished there.
        let receiver = try await agent.prepare([SampleApp.redirect])
        await receiver.finish(.failed(message: ""))
        _ = try await agent.prepare([SampleApp.redirect])
    }

    @Test func `a page that cannot be opened ends the wait`() async throws {
        struct NoBrowser: Error {}
        let app = try SampleApp()
        let agent = CallbackUserAgent { _ in throw NoBrowser() }
        await #expect(throws: NoBrowser.self) { try await app.establish(agent) }
    }

    @Test func `a page that fails while a stranger's callback is tried ends the wait after it, with its own error`()
        async throws
    {
        struct NoBrowser: Error {}
        let app = try SampleApp()
        let (pages, failing) = (OpenedPages(), AsyncStream.makeStream(of: Void.self))
        let agent = CallbackUserAgent { url in
            pages.open(url)
            for await _ in failing.stream { break }
            throw NoBrowser()
        }
        app.service.script { script in
            script.before = { _ in
                failing.continuation.yield()
                // The page's failure is known before the service's no.
                for _ in 0..<1000 { await Task.yield() }
            }
        }
        let signIn = Task { try await app.establish(agent) }
        _ = await pages.next()
        let forged = SampleToken.make("session", 666, ends: app.time.now.wall + .seconds(3600))
        #expect(agent.handleCallback(app.callback(forged)) == .accepted)
        await #expect(throws: NoBrowser.self) { try await signIn.value }
    }

    @Test func `redirects that are no scheme's are refused`() async throws {
        let agent = CallbackUserAgent { _ in }
        for redirect in ["http://127.0.0.1:0/login/success", "nsdk-samples://other/place", "nonsense"] {
            #expect(try await failure { try await agent.prepare([redirect]) }.reason == .invalidConfiguration)
        }
    }
}
