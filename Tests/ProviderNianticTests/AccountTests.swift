import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// A forged callback cannot sign the person in to another account unseen.
@Suite struct AccountTests {
    @Test func `the account is shown before anything is sent`() async throws {
        let service = IdentityService()
        let shown = Recorder<(SignInProposal, Int)>()
        let app = try SampleApp(
            service,
            confirm: { proposal in
                shown.add((proposal, service.requests.count))
                return .signIn
            }
        )
        _ = try await app.establish()
        let (proposal, requests) = try #require(shown.all.first)
        #expect(requests == 0)
        #expect(proposal.account?.displayName == "user-1@mail.example")
        #expect(proposal.expiry == .at(service.time.now.wall + .seconds(30 * 86_400)))
        #expect(!proposal.isSwitch)
    }

    @Test func `a no sends and stores nothing`() async throws {
        let app = try SampleApp(confirm: { _ in .cancel })
        let person = app.person()
        let session = try await app.session()
        let error = try await failure { try await session.signIn(through: person) }
        #expect(error.reason == .signInDeclined)
        #expect(app.service.requests.isEmpty)
        #expect(try await app.stored() == nil)
    }

    @Test func `another account than the stored one needs an explicit yes, and what is stored stays`() async throws {
        let app = try SampleApp()
        _ = try await app.session().signIn(through: app.person())
        let before = try await app.stored()
        app.service.forgetRequests()
        let session = try await app.session()
        let error = try await failure { try await session.signIn(through: app.person("attacker", givesUp: true)) }
        #expect(error.reason == .accountChanged)
        #expect(app.service.requests.isEmpty)
        #expect(try await app.stored() == before)
    }

    @Test func `a callback of another account ends no sign-in that waits for the stored one's`() async throws {
        let app = try SampleApp()
        _ = try await app.session().signIn(through: app.person())
        let callbacks = ["attacker", nil, "user-1"].map { app.callback(app.service.browserSignIn(subject: $0)) }
        let browser = app.agent(callbacks)
        let report = try await app.session().signIn(through: browser)
        #expect(report.account?.subject == "user-1" && browser.refused == 2)
    }

    @Test func `where nobody else's came in time, the callback of another account is told`() async throws {
        let app = try SampleApp()
        let held = try await app.establish()
        let browser = app.person("attacker")
        let call = Task { try await failure { try await app.establish(browser, previous: held) } }
        await app.time.waitForSleepers(1)
        while browser.refused == 0 { await Task.yield() }
        app.time.advance(by: .seconds(120))
        let error = try await call.value
        #expect(error.reason == .signInTimedOut && error.description.contains("attacker"))
    }

    @Test func `another account that is allowed is told as a switch`() async throws {
        let proposals = Recorder<SignInProposal>()
        let confirm: SignInConfirmation = { proposal in
            proposals.add(proposal)
            return .signIn
        }
        let app = try SampleApp(change: { $0.allowsAccountSwitch = true }, confirm: confirm)
        _ = try await app.session().signIn(through: app.person())
        let report = try await app.session().signIn(through: app.person("user-2"))
        #expect(proposals.all.map(\.isSwitch) == [false, true])
        #expect(report.account?.subject == "user-2")
        #expect(report.replaced?.subject == "user-1")
    }

    @Test func `a token that names nobody does not pass for the stored account`() async throws {
        let app = try SampleApp()
        let held = try await app.establish()
        let error = try await failure { try await app.establish(app.person(nil, givesUp: true), previous: held) }
        #expect(error.reason == .accountChanged)
    }

    @Test func `a stored sign-in that names nobody is replaced by an explicit yes only`() async throws {
        let proposals = Recorder<SignInProposal>()
        let confirm: SignInConfirmation = { proposal in
            proposals.add(proposal)
            return .signIn
        }
        let strict = try SampleApp(confirm: confirm)
        let unnamed = try await strict.establish(strict.person(nil))
        #expect(unnamed.account == nil)
        for subject in ["attacker", nil] {
            let error = try await failure {
                try await strict.establish(strict.person(subject, givesUp: true), previous: unnamed)
            }
            #expect(error.reason == .accountChanged)
        }
        let lax = try SampleApp(change: { $0.allowsAccountSwitch = true }, confirm: confirm)
        _ = try await lax.establish(lax.person("user-2"), previous: unnamed)
        #expect(proposals.all.map(\.isSwitch) == [false, true])
        #expect(proposals.all.map(\.replaces) == [false, true])
        var out = unnamed
        out.state = .signedOut
        _ = try await strict.establish(strict.person("user-3"), previous: out)
        #expect(proposals.all.last?.isSwitch == false)
    }

    @Test func `the same account may sign in again, and anybody after a sign-out`() async throws {
        let app = try SampleApp()
        let session = try await app.session()
        _ = try await session.signIn(through: app.person())
        _ = try await session.signIn(through: app.person())
        _ = try await session.signOut()
        #expect(try await session.signIn(through: app.person("user-2")).account?.subject == "user-2")
    }

    @Test func `a rotated token of another account is not used, at sign-in and at renewal`() async throws {
        let app = try SampleApp()
        let other = SampleToken.make("session", 7, subject: "attacker", ends: app.time.now.wall + .seconds(9999))
        app.service.script { $0.cookies = { _ in ["refresh_token=\(other)"] } }
        #expect(try await failure { try await app.establish() }.reason == .accountChanged)
        app.service.script { $0.cookies = { ["refresh_token=\($0)"] } }
        var held = try await app.establish()
        held.accessTokens[.primary] = HeldToken(Secret("old"), expiry: .at(app.time.now.wall))
        app.service.script { $0.cookies = { _ in ["refresh_token=\(other)"] } }
        let journal = StepJournal()
        let error = try await failure { try await app.renew(held, TokenRequest(), journal) }
        #expect(error.reason == .accountChanged)
        #expect(error.remedy == .signInAgain)
        #expect(journal.commits.isEmpty)
    }
}
