import AuthKitCore
import AuthKitTesting
import Testing

/// Companions that a policy keeps alive make the credential due.
@Suite struct WatchedCompanionTests {
    private let time = ManualTime()

    private func credential(access: Int64, companion: Expiry) throws -> StoredCredential {
        let id = CredentialID(provider: ProviderKind("p"), issuer: "i", client: "c", slot: "s")
        var credential = StoredCredential(id: id, incarnation: try .draw(), state: .signedIn)
        credential.accessTokens[.primary] = HeldToken(Secret("a"), expiry: .at(time.now.wall + .seconds(access)))
        credential.companions["session"] = HeldToken(Secret("b"), expiry: companion)
        credential.renewedAt = time.now
        return credential
    }

    private let policy = RefreshPolicy(watchedCompanions: ["session", "absent"])

    @Test func `the one that nears its end first counts`() throws {
        let early = try credential(access: 3600, companion: .at(time.now.wall + .seconds(600)))
        #expect(early.wait(untilRenewalBy: policy, at: time.now) == .seconds(540))
        #expect(early.wait(untilRenewalBy: RefreshPolicy(), at: time.now) == .seconds(3540))
        let late = try credential(access: 600, companion: .at(time.now.wall + .seconds(3600)))
        #expect(late.wait(untilRenewalBy: policy, at: time.now) == .seconds(540))
    }

    @Test func `one that has ended, or whose end is not known, makes nothing due`() throws {
        for expiry in [Expiry.unknown, .never, .at(time.now.wall), .at(time.now.wall - .seconds(5))] {
            let held = try credential(access: 3600, companion: expiry)
            #expect(held.wait(untilRenewalBy: policy, at: time.now) == .seconds(3540))
        }
    }

    @Test func `without an access token it is due at once, where there is something to fetch one with`() throws {
        var held = try credential(access: 3600, companion: .at(time.now.wall + .seconds(600)))
        held.accessTokens = [:]
        #expect(held.wait(untilRenewalBy: policy, at: time.now) == .zero)
        #expect(held.wait(untilRenewalBy: RefreshPolicy(), at: time.now) == nil)
        held.companions = [:]
        #expect(held.wait(untilRenewalBy: policy, at: time.now) == nil)
    }

    @Test func `the scheduler's judgement has the wait and the end of the companion`() throws {
        let held = try credential(access: 3600, companion: .at(time.now.wall + .seconds(600)))
        let judgement = try #require(RefreshJudgement(held, policy: policy, at: time.now, spread: 0))
        #expect(judgement.wait == .seconds(540))
        #expect(judgement.end == .seconds(600))
        #expect(judgement.isWallBound)
        #expect(judgement.validFor > .seconds(3600))
    }

    @Test(arguments: [Expiry.unknown, .never])
    func `a companion is kept alive though nobody knows when the access token ends`(_ end: Expiry) throws {
        var held = try credential(access: 3600, companion: .at(time.now.wall + .seconds(600)))
        held.accessTokens[.primary] = HeldToken(Secret("a"), expiry: end)
        #expect(held.wait(untilRenewalBy: policy, at: time.now) == .seconds(540))
        let judgement = try #require(RefreshJudgement(held, policy: policy, at: time.now, spread: 0))
        #expect(judgement.wait == .seconds(540))
        // The token might last for ever, so no length of life would bring a renewal about.
        #expect(judgement.reason == .forced)
        #expect(RefreshJudgement(held, policy: RefreshPolicy(), at: time.now, spread: 0) == nil)
    }

    @Test func `a companion's lifetime from another boot is counted by the wall clock`() throws {
        let now = time.now
        let lifetime = Expiry.after(.seconds(600), from: now)
        var held = try credential(access: 3600, companion: lifetime)
        held.accessTokens[.primary] = HeldToken(Secret("a"), expiry: .after(.seconds(3600), from: now))
        let sameBoot = try #require(RefreshJudgement(held, policy: policy, at: now, spread: 0))
        #expect(!sameBoot.isWallBound)
        let rebooted = Moment(wall: now.wall + .seconds(60), sinceBoot: .seconds(1), boot: "another")
        held.accessTokens[.primary] = HeldToken(Secret("a"), expiry: .after(.seconds(3600), from: rebooted))
        let otherBoot = try #require(RefreshJudgement(held, policy: policy, at: rebooted, spread: 0))
        #expect(otherBoot.isWallBound)
        #expect(otherBoot.end == .seconds(540))
    }
}
