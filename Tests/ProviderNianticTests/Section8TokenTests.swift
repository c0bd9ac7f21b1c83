import AuthKitCore
import AuthKitDevServer
import AuthKitTesting
import ProviderNiantic
import Testing

/// What is unknown of the identity service's tokens, row by row: ends, clocks, signatures, who they are about.
@Suite(.timeLimit(.minutes(1))) struct Section8TokenTests {
    /// What is left of the access token of a sample sign-in whose step 3 has a fault; the service means an hour.
    private func life(
        _ kind: FaultKind?,
        _ change: (inout DevNianticOptions) -> Void = { _ in }
    ) async throws -> Duration? {
        let app = try ServedApp(kind.map { [Fault(.nianticAccess, $0)] } ?? [], change: change)
        let held = try await app.renew(try await app.establish())
        return app.life(held.accessTokens[.primary], of: held)
    }

    // MARK: Where an end comes from

    @Test(
        arguments: [
            (nil, 3_600_000), (.fractionalExpiry, 3_600_500), (.textExpiry, 3_600_000),
            (.millisecondExpiry, 3_600_000), (.earlierExpiry, 1_800_000), (.laterExpiry, 7_200_000),
            (.lifetimeOnly, 3_600_000), (.noExpiry, 0), (.oddExpiry, 0),
        ] as [(FaultKind?, Int64)]
    )
    func `the answer's end counts in every form where the token has none, else it has ended`(
        _ kind: FaultKind?,
        _ milliseconds: Int64
    ) async throws {
        let life = try await life(kind) { $0.omittedClaims = ["exp"] }
        #expect(life == .milliseconds(milliseconds))
    }

    @Test(
        arguments: [
            (.noExpiry, 3600), (.oddExpiry, 3600), (.earlierExpiry, 1800), (.laterExpiry, 3600), (.missingExp, 3600),
            (.fractionalExp, 3600), (.textExp, 3600), (.expired, -3600), (.opaqueToken, 3600), (.noEnd, 0),
        ] as [(FaultKind, Int64)]
    )
    func `of the answer's end and the token's the earlier counts, or the one that is there`(
        _ kind: FaultKind,
        _ seconds: Int64
    ) async throws {
        #expect(try await life(kind) == .seconds(seconds))
    }

    @Test(
        arguments: [
            (.noEnd, 3600), (.lifetimeOnly, 1800), (.missingExp, 1800), (.noExpiry, 1800), (.textExpiry, 1800),
            (.earlierExpiry, 900), (.opaqueToken, 1800),
        ] as [(FaultKind, Int64)]
    )
    func `a service account's token lives an hour where nobody says`(
        _ kind: FaultKind,
        _ seconds: Int64
    ) async throws {
        let app = try ServedApp([Fault(.nianticKey, kind)]) { $0.accessTokenLifetime = .seconds(1800) }
        let token = try await app.exchange()
        #expect(token.expiry.remaining(at: app.time.now) == .lasts(.seconds(seconds)))
    }

    @Test(
        arguments: [
            (.fractionalExpiry, 3_600_500), (.textExpiry, 3_600_000), (.oddExpiry, 0), (.endInstead, 3_600_000),
            (.noExpiry, 0),
        ] as [(FaultKind, Int64)]
    )
    func `a back end's lifetime counts in every form, and an end in its place`(
        _ kind: FaultKind,
        _ milliseconds: Int64
    ) async throws {
        let app = try ServedApp([Fault(.nianticBackend, kind)]) { $0.omittedClaims = ["exp"] }
        let token = try await app.askBackend()
        #expect(token.expiry.remaining(at: app.time.now) == .lasts(.milliseconds(milliseconds)))
    }

    @Test(
        arguments: [
            (nil, 86_400), (.textExpiry, 86_400), (.millisecondExpiry, 86_400), (.earlierExpiry, 43_200),
            (.noExpiry, nil), (.oddExpiry, nil),
        ] as [(FaultKind?, Int64?)]
    )
    func `an NSDK refresh token ends with its answer, or nobody knows when`(
        _ kind: FaultKind?,
        _ seconds: Int64?
    ) async throws {
        let faults = kind.map { [Fault(.nianticRefresh, $0)] } ?? []
        let app = try ServedApp(faults) { $0.omittedClaims = ["exp"] }
        let kept = Recorder<StoredCredential>()
        _ = try await app.renew(try await app.establish(), kept)
        let made = try #require(kept.all.first)
        #expect(made.refreshToken != nil)
        let expected: Duration? = seconds.map { .seconds($0) }
        #expect(app.life(made.refreshToken, of: made) == expected)
    }

    @Test(arguments: [FaultKind.earlierExpiry, .noExpiry, .lifetimeOnly])
    func `the session token's end is never that of step 1's answer`(_ kind: FaultKind) async throws {
        let app = try ServedApp([Fault(.nianticRotate, kind)])
        let held = try await app.establish()
        #expect(app.life(held.companions["session"], of: held) == .seconds(30 * 86_400))
    }

    @Test(arguments: [FaultKind.textExp, .fractionalExp])
    func `a callback's end is read in every form`(_ kind: FaultKind) async throws {
        let app = try ServedApp([Fault(.nianticSignIn, kind)])
        _ = try await app.establish()
        #expect(app.outcomes == ["rotate granted"])
    }

    // MARK: Clock skew

    @Test(arguments: [7200, 3600, -3600, -7200] as [Int64])
    func `a service's clock that is off changes no life, and the renewal is 60 s ahead by ours`(
        _ ahead: Int64
    ) async throws {
        let app = try ServedApp { $0.clockAhead = .seconds(ahead) }
        try await app.signIn()
        let held = try #require(try await app.stored())
        let offset = try #require(held.clockOffset)
        #expect((.seconds(ahead - 1)...(.seconds(ahead + 1))).contains(offset))
        let life = try #require(app.life(held.accessTokens[.primary], of: held))
        #expect((.seconds(3598)...(.seconds(3602))).contains(life))
        app.time.advance(by: .seconds(3530))
        _ = try await app.session().token()
        #expect(app.statistics.accessTokensMade == 1)
        app.time.advance(by: .seconds(20))
        _ = try await app.session().token()
        #expect(app.statistics.accessTokensMade == 2)
        #expect(app.statistics.sessionsRotated == 1)
    }

    @Test(arguments: [(0, false), (1, true)] as [(Int64, Bool)])
    func `a callback's token has no leeway`(_ seconds: Int64, _ isTaken: Bool) async throws {
        let app = try ServedApp { $0.sessionTokenLifetime = .seconds(seconds) }
        if isTaken {
            #expect(try await app.establish().state == .signedIn)
        } else {
            await #expect(throws: FetchingUserAgent.Failure.self) { try await app.establish() }
        }
        #expect(app.outcomes.count == (isTaken ? 1 : 0))
    }

    // MARK: Threshold and interval

    @Test(arguments: [(3600, 3540), (125, 70), (100, 50), (60, 30)] as [(Int64, Int64)])
    func `a token is renewed 60 s ahead, on a grid of 10 s, and a short one after half its life`(
        _ lifetime: Int64,
        _ wait: Int64
    ) async throws {
        let app = try ServedApp { $0.accessTokenLifetime = .seconds(lifetime) }
        let held = try await app.renew(try await app.establish())
        #expect(held.wait(untilRenewalBy: app.provider.traits.refresh, at: app.time.now) == .seconds(wait))
    }

    // MARK: Signature

    @Test(arguments: [FaultKind.badSignature, .unknownKey, .unsigned])
    func `a signature counts only where the app knows the keys`(_ kind: FaultKind) async throws {
        let trusting = try ServedApp([Fault(.nianticAccess, kind)])
        #expect(try await trusting.renew(try await trusting.establish()).accessTokens[.primary] != nil)

        let app = try ServedApp([Fault(.nianticAccess, kind)], verifies: true)
        let held = try await app.establish()
        let kept = Recorder<StoredCredential>()
        let error = try await failure { try await app.renew(held, kept) }
        #expect(error.reason == .tokenRejected && error.remedy == .signInAgain)
        let last = try #require(kept.all.last)
        #expect(last.accessTokens.isEmpty && last.refreshToken != nil)
        // The refresh token of that answer is kept, and brings a token that passes.
        #expect(try await app.renew(last).accessTokens[.primary] != nil)
        #expect(app.statistics.reuseDetections == 0)
    }

    @Test(arguments: [FaultKind.badSignature, .unknownKey])
    func `a callback whose signature fails is not sent where the app knows the keys`(_ kind: FaultKind) async throws {
        let app = try ServedApp([Fault(.nianticSignIn, kind)], verifies: true)
        let error = try await failure { try await app.establish() }
        #expect(error.reason == .invalidSessionToken)
        #expect(app.outcomes.isEmpty)
    }

    // MARK: Who it is about

    @Test(arguments: [
        ("user_id", "user-alice"), ("userId", "user-alice"), ("uid", "user-alice"),
        ("https://app.example/user_id", "user-alice"), ("account", ""),
    ])
    func `the user's identifier is found under a list of claims`(_ claim: String, _ expected: String) async throws {
        let info = try await info(.userIDClaim(claim))
        #expect(info.userId == expected && info.subject.isEmpty && info.name == "Alice Example")
    }

    @Test func `of several audiences the first is shown, and names that are missing are empty`() async throws {
        #expect(try await info(.severalAudiences).audience == "nsdk")
        let nameless = try await info(.noNames)
        #expect(nameless.name.isEmpty && nameless.email.isEmpty && nameless.subject == "user-alice")
        let nobody = try await info(.missingSubject)
        #expect(nobody.subject.isEmpty && nobody.userId.isEmpty && nobody.name.isEmpty)
        #expect(try await info(.textExp).expirationTime == 1_800_003_600)
        #expect(try await info(.fractionalExp).expirationTime == 1_800_003_600)
        #expect(try await info(.missingExp).expirationTime == 0)
    }

    /// What the access token of a fault says of itself.
    private func info(_ kind: FaultKind) async throws -> AuthInfo {
        let app = try ServedApp([Fault(.nianticAccess, kind)])
        let held = try await app.renew(try await app.establish())
        let token = try #require(held.accessTokens[.primary])
        return try #require(AuthInfo(accessToken: token.value))
    }
}
