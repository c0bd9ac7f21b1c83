import AuthKitTesting
import Testing

@testable import AuthKitCore

/// When what is stored is due, which is all that a worker goes by.
@Suite struct RenewalScheduleTests {
    private let now = Moment(wall: WallTime(seconds: 1_800_000_000), sinceBoot: .seconds(60), boot: "b")
    private var schedule: RenewalSchedule { schedule() }

    private func schedule(
        _ traits: ProviderTraits = ProviderTraits(refresh: RefreshPolicy(jitter: 0))
    )
        -> RenewalSchedule
    {
        RenewalSchedule(traits: traits)
    }

    private func credential(endingIn lifetime: Duration) throws -> StoredCredential {
        let id = CredentialID(provider: .oidc, issuer: "i", client: "c", slot: "s")
        var credential = StoredCredential(id: id, incarnation: try .draw(), state: .signedIn)
        credential.accessTokens[.primary] = HeldToken(Secret("t"), expiry: .after(lifetime, from: now))
        return credential
    }

    private func failure(_ remedy: Remedy) -> MemoryFailure {
        MemoryFailure(code: "failed", remedy: remedy, delivery: .answered)
    }

    @Test func `a token is due its lead before its end`() throws {
        #expect(schedule.due(try credential(endingIn: .seconds(3600)), at: now) == now.wall + .seconds(3540))
    }

    @Test func `nothing is due without a token, after a sign-out, after a refusal, or where the app is called back`()
        throws
    {
        var held = try credential(endingIn: .seconds(3600))
        let callback = ProviderTraits(refresh: RefreshPolicy(jitter: 0), needsCallback: true)
        #expect(schedule(callback).due(held, at: now) == nil)
        held.state = .needsSignIn
        #expect(schedule.due(held, at: now) == nil)
        held.state = .signedOut
        #expect(schedule.due(held, at: now) == nil)
        held.state = .signedIn
        held.accessTokens = [:]
        #expect(schedule.due(held, at: now) == nil)
    }

    @Test func `an absolute end is moved to this machine's clock`() throws {
        var held = try credential(endingIn: .seconds(3600))
        held.accessTokens[.primary]?.expiry = .at(now.wall + .seconds(3600))
        held.clockOffset = .seconds(600)  // The issuer is ahead: by our clock the end comes sooner.
        #expect(schedule.due(held, at: now) == now.wall + .seconds(2940))
    }

    @Test func `a renewal that is under way is taken up within seconds, whatever the token still lives`() throws {
        let soon = now.wall + RenewalSchedule.firstPause
        var held = try credential(endingIn: .seconds(3600))
        #expect(schedule.dueWhileRenewing(held, at: now) == now.wall + .seconds(3540))
        held.intents[TokenFingerprint(of: Secret("r"))] = Intent(sends: 1, at: now.wall)
        #expect(schedule.dueWhileRenewing(held, at: now) == soon)
        #expect(schedule.dueWhileRenewing(try credential(endingIn: .zero), at: now) == soon)
    }

    @Test func `with a token in doubt a failure is tried again though what is held still lives`() throws {
        var held = try credential(endingIn: .seconds(3600))
        held.intents[TokenFingerprint(of: Secret("r"))] = Intent(sends: 1, at: now.wall)
        let due = try #require(schedule.due(held, after: failure(.retry(after: nil)), previous: nil, at: now))
        #expect(due <= now.wall + RenewalSchedule.firstPause)
    }

    @Test func `each failure in a row waits twice as long, up to the longest pause`() throws {
        let held = try credential(endingIn: .seconds(10))
        let retry = failure(.retry(after: nil))
        func pause(_ previous: Problem?) throws -> Duration {
            try #require(schedule.due(held, after: retry, previous: previous, at: now)) - now.wall
        }
        func problem(_ age: Duration) -> Problem { Problem(code: "failed", message: "", at: now.wall - age) }
        #expect((.milliseconds(3750)...RenewalSchedule.firstPause).contains(try pause(nil)))
        #expect((.seconds(30)...Duration.seconds(40)).contains(try pause(problem(.seconds(20)))))
        #expect((.seconds(675)...RenewalSchedule.longestPause).contains(try pause(problem(.seconds(86_400)))))
        // A clock that was set back makes no pause negative.
        #expect(try pause(problem(.seconds(-3600))) >= .seconds(3))
    }

    @Test func `the issuer's word wins, and what does not pass is not tried again soon`() throws {
        let held = try credential(endingIn: .seconds(10))
        let asked = failure(.retry(after: .seconds(120)))
        #expect(schedule.due(held, after: asked, previous: nil, at: now) == now.wall + .seconds(120))
        let wrong = failure(.fixConfiguration)
        #expect(schedule.due(held, after: wrong, previous: nil, at: now) == now.wall + RenewalSchedule.longestPause)
        #expect(schedule.due(held, after: failure(.signInAgain), previous: nil, at: now) == nil)
    }

    @Test func `a failure moves no due time ahead`() throws {
        let held = try credential(endingIn: .seconds(3600))
        let due = schedule.due(held, after: failure(.retry(after: nil)), previous: nil, at: now)
        #expect(due == now.wall + .seconds(3540))
    }
}
