import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// The exchange under a session: one at a time across processes, never a lost login, sign-out wins.
@Suite struct DurabilityTests {
    private func signedIn() async throws -> SampleApp {
        let app = try SampleApp()
        _ = try await app.session().signIn(through: app.person())
        app.service.forgetRequests()
        return app
    }

    private func sessionError(_ work: () async throws -> some Any) async -> SessionError.Code? {
        do {
            _ = try await work()
            return nil
        } catch {
            return (error as? SessionError)?.reason
        }
    }

    @Test func `eight processes at expiry make one exchange`() async throws {
        let app = try await signedIn()
        app.time.advance(by: .seconds(3600))
        var sessions: [Session] = []
        for _ in 0..<8 { sessions.append(try await app.session()) }
        let names = try await withThrowingTaskGroup(of: String?.self) { group in
            for session in sessions { group.addTask { SampleToken.name(of: try await session.token().token) } }
            return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(names == ["access-2"])
        #expect(app.service.grants == ["refresh_build_access_token"])
        #expect(app.service.reuses == 0)
    }

    @Test func `eight processes make one exchange of three steps where that is needed`() async throws {
        let app = try await signedIn()
        app.time.advance(by: .seconds(86_400))
        var sessions: [Session] = []
        for _ in 0..<8 { sessions.append(try await app.session()) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for session in sessions { group.addTask { _ = try await session.token() } }
            try await group.waitForAll()
        }
        #expect(app.service.grants.count == 3)
        #expect(app.service.reuses == 0)
    }

    #if DEBUG
    @Test func `a death between rotation and step 2 leaves the rotated token, which the next start uses`() async throws
    {
        let app = try await signedIn()
        app.time.advance(by: .seconds(86_400))
        let fault = FaultInjection(.fail, at: .answerCommitted)
        await #expect(throws: FaultInjection.Injected.self) {
            try await fault.run { try await app.session().token() }
        }
        #expect(app.service.grants == ["refresh_user_session_access_token"])
        #expect(SampleToken.name(of: try await app.stored()?.companions["session"]) == "session-3")
        #expect(SampleToken.name(of: try await app.session().token().token) == "access-2")
        #expect(app.service.reuses == 0)
    }

    @Test func `a death before the rotation is saved is told as a lost answer, and nothing is sent twice for ever`()
        async throws
    {
        let app = try await signedIn()
        app.time.advance(by: .seconds(86_400))
        let fault = FaultInjection(.fail, at: .answerReceived)
        await #expect(throws: FaultInjection.Injected.self) {
            try await fault.run { try await app.session().token() }
        }
        #expect(await sessionError { try await app.session().token() } == .answerLost)
        #expect(app.service.reuses == 1)
        #expect(await sessionError { try await app.session().token() } == .answerLost)
        #expect(app.service.reuses == 1)
    }

    @Test func `a death after the intent, before anything was sent, loses nothing`() async throws {
        let app = try await signedIn()
        app.time.advance(by: .seconds(86_400))
        let fault = FaultInjection(.fail, at: .intentSaved)
        await #expect(throws: FaultInjection.Injected.self) {
            try await fault.run { try await app.session().token() }
        }
        #expect(SampleToken.name(of: try await app.session().token().token) == "access-2")
        #expect(app.service.reuses == 0)
    }
    #endif

    @Test func `a lost answer to step 3 is made good by steps 1 to 3, without the old token`() async throws {
        let app = try await signedIn()
        app.time.advance(by: .seconds(3600))
        app.service.script { script in
            script.replace = { grant, response in
                guard grant == "refresh_build_access_token" else { return response }
                throw TransportError(.connectionLost, delivery: .sentNoAnswer, detail: "The connection was lost.")
            }
        }
        await #expect(throws: TransportError.self) { try await app.session().token() }
        #expect(try await app.stored()?.intents.count == 1)
        app.service.script { $0.replace = { $1 } }
        app.service.forgetRequests()
        _ = try await app.session().token()
        #expect(app.service.grants.count == 3)
        #expect(app.service.reuses == 0)
        #expect(try await app.stored()?.intents.isEmpty == true)
    }

    @Test func `a lost request of step 1 is sent once more, and then the login goes on`() async throws {
        let app = try await signedIn()
        app.time.advance(by: .seconds(86_400))
        app.service.script { script in
            script.before = { _ in
                throw TransportError(.connectionLost, delivery: .sentNoAnswer, detail: "The connection was lost.")
            }
        }
        await #expect(throws: TransportError.self) { try await app.session().token() }
        app.service.script { $0.before = { _ in } }
        #expect(SampleToken.name(of: try await app.session().token().token) == "access-2")
        #expect(app.service.reuses == 0)
    }

    @Test func `an outage signs nobody out, and the held token is served while it lives`() async throws {
        let app = try await signedIn()
        app.time.advance(by: .seconds(3580))
        app.service.script { script in
            script.replace = { _, response in
                var response = response
                response.status = 503
                return response
            }
        }
        let issued = try await app.session().token()
        #expect(SampleToken.name(of: issued.token) == "access-1")
        #expect((issued.renewalFailure as? NianticError)?.reason == .unavailable)
        #expect(try await app.stored()?.state == .signedIn)
    }

    @Test func `a session that was revoked needs a person, and is not asked for again`() async throws {
        let app = try await signedIn()
        app.service.withState { state in
            state.refreshTokens = []
            state.session = ""
        }
        app.time.advance(by: .seconds(3600))
        #expect(await sessionError { try await app.session().token() } == .refreshRefused)
        #expect(try await app.stored()?.state == .needsSignIn)
        let asked = app.service.grants.count
        #expect(await sessionError { try await app.session().token() } == .refreshRefused)
        #expect(app.service.grants.count == asked)
    }

    @Test func `a sign-out during step 2 wins`() async throws {
        let app = try await signedIn()
        app.time.advance(by: .seconds(86_400))
        app.service.script { script in
            script.before = { grant in
                guard grant == "exchange_build_refresh_token" else { return }
                _ = try await app.session().signOut()
            }
        }
        #expect(await sessionError { try await app.session().token() } == .signedOut)
        #expect(try await app.stored()?.state == .signedOut)
        #expect(try await app.stored()?.companions.isEmpty == true)
        #expect(app.service.grants.last == "exchange_build_refresh_token")
    }

    @Test func `a sign-out during the first exchange of a sign-in wins`() async throws {
        let app = try SampleApp()
        app.service.script { script in
            script.before = { grant in
                guard grant == "exchange_build_refresh_token" else { return }
                _ = try await app.session().signOut()
            }
        }
        let session = try await app.session()
        #expect(await sessionError { try await session.signIn(through: app.person()) } == .signedOut)
        #expect(try await app.stored()?.state == .signedOut)
    }

    @Test func `a session token that alone nears its end makes the credential due`() async throws {
        let app = try SampleApp()
        app.service.script { script in
            script.sessionLifetime = .seconds(600)
            script.accessLifetime = .seconds(86_400)
        }
        _ = try await app.session().signIn(through: app.person())
        let held = try #require(await app.stored())
        let policy = app.provider.traits.refresh
        #expect(held.wait(untilRenewalBy: policy, at: app.time.now) == .seconds(540))
        var unwatched = policy
        unwatched.watchedCompanions = []
        let wait = try #require(held.wait(untilRenewalBy: unwatched, at: app.time.now))
        // The lead is a part of the life, and that is counted in fractions.
        #expect((.seconds(86_339)...(.seconds(86_341))).contains(wait))
        app.time.advance(by: .seconds(600))
        // One that has ended cannot be saved, and makes nothing due.
        #expect(held.wait(untilRenewalBy: policy, at: app.time.now) == wait - .seconds(600))
    }

    @Test func `status tells the lives of all three tokens`() async throws {
        let app = try await signedIn()
        let summary = try #require(try await app.session().status())
        #expect(summary.tokens.map(\.kind) == ["access", "refresh", "session"])
        let now = app.time.now.wall
        #expect(
            summary.tokens.map(\.expiry) == [
                .at(now + .seconds(3600)), .at(now + .seconds(86_400)), .at(now + .seconds(30 * 86_400)),
            ]
        )
    }
}
