import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// No token, key or credential in errors, descriptions, dumps or traces.
@Suite struct SecrecyTests {
    @Test func `requests carry their tokens as secrets`() async throws {
        let app = try SampleApp()
        let held = try await app.renew(try await app.establish())
        let tokens = [held.refreshToken, held.companions["session"]].compactMap { $0?.value.reveal() }
        let ends = tokens.map { String($0.suffix(4)) }
        for request in app.service.requests {
            #expect(request.carriesCredential)
            let shown = "\(request) \(String(reflecting: request)) \(request.body.map { "\($0)" } ?? "")"
            #expect(!tokens.contains(where: shown.contains))
            #expect(!ends.contains(where: shown.contains))
            #expect(request.fields.filter { !$0.isSecret }.map(\.name) == ["Accept"])
        }
    }

    @Test func `a trace of everything shows no token`() async throws {
        let app = try SampleApp()
        let tracer = RecordingTracer()
        let callback = app.service.browserSignIn()
        let tokens = Recorder<String>()
        try await Trace.$tracer.withValue(tracer) {
            let session = try await app.session()
            let callbacks = ["\(SampleApp.redirect)?refreshToken=x", app.callback(callback)]
            _ = try await session.signIn(through: app.agent(callbacks))
            let held = try #require(await app.stored())
            for token in [held.refreshToken, held.companions["session"], held.accessTokens[.primary]] {
                tokens.add(token?.value.reveal() ?? "")
            }
            app.service.withState { $0.refreshTokens = [] }
            _ = try await session.token(for: TokenRequest(reason: .forced))
            _ = try await session.signOut()
        }
        #expect(tracer.lines.count > 6)
        let secrets = tokens.all + [callback]
        #expect(!tracer.lines.contains { line in secrets.contains(where: line.contains) })
        // Nor the end of one, by which the vendor's logs tell them apart.
        let ends = secrets.map { String($0.suffix(4)) }
        #expect(ends.allSatisfy { $0.utf8.count == 4 })
        #expect(!tracer.lines.contains { line in ends.contains(where: line.contains) })
        #expect(tracer.lines.contains { $0.hasPrefix("Step 1 of 3") })
    }

    @Test func `what is kept of a callback is a fingerprint`() async throws {
        let app = try SampleApp()
        let token = app.service.browserSignIn()
        let held = try await app.establish(app.agent([app.callback(token)]))
        let kept = try #require(held.attributes["niantic.callback"])
        #expect(kept.utf8.count == 22)
        #expect(!token.contains(kept))
    }

    @Test func `developer tokens and proposals show nothing of a token`() throws {
        let time = ManualTime()
        let text = SampleToken.make("developer", 1, ends: time.now.wall + .seconds(8 * 86_400))
        var shown = ""
        dump(try DeveloperToken(Secret(text), at: time.now.wall), to: &shown)
        #expect(!shown.contains(text))
        #expect(!shown.contains(String(text.suffix(4))))
    }
}
