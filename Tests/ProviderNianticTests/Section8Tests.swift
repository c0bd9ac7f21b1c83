import AuthKitCore
import AuthKitDevServer
import AuthKitTesting
import ProviderNiantic
import Testing

/// What is unknown of the identity service, row by row: refusals, waits, cookies, lost answers, sign-in and sign-out.
///
/// Each row is played by the development server; what tokens and ends can be like is in `Section8TokenTests`.
@Suite(.timeLimit(.minutes(1))) struct Section8Tests {
    static let steps: [Fault.Point] = [.nianticRotate, .nianticRefresh, .nianticAccess]
    static let words = "this is a fault that was asked for"
    private static let full = ["rotate granted", "refresh granted", "access granted"]

    /// An app that is signed in, whose next token takes all three steps.
    private func due(_ change: (inout DevNianticOptions) -> Void = { _ in }) async throws -> ServedApp {
        let app = try ServedApp(change: change)
        try await app.signIn()
        app.time.advance(by: .seconds(86_400))
        return app
    }

    /// What the service saw after the sign-in.
    private func later(_ app: ServedApp) -> [String] { Array(app.outcomes.dropFirst(3)) }

    // MARK: The status of a session that was revoked or has ended

    @Test(arguments: [400, 401, 403])
    func `a session that the service has ended is over, by whichever status it says so`(_ status: Int) async throws {
        let app = try await due { $0.refusalStatus = status }
        let held = try #require(try await app.stored())
        let page = try #require(try await app.provider.endSession(held, in: app.context))
        let address = try #require(WebURL(page.address.reveal()))
        _ = try await app.transport.send(HTTPRequest("GET", address))
        for _ in 0..<2 {
            let error = await #expect(throws: SessionError.self) { try await app.session().token() }
            #expect(error?.reason == .refreshRefused)
        }
        #expect(try await app.stored()?.state == .needsSignIn)
        // Once told, the service is not asked again.
        #expect(later(app) == ["rotate ended"])
    }

    @Test(arguments: [400, 401, 403])
    func `a key that the service does not know is a matter of configuration`(_ status: Int) async throws {
        let app = try ServedApp { $0.refusalStatus = status }
        let error = try await failure { try await app.exchange("another-key") }
        #expect(error.reason == .apiKeyRefused && error.remedy == .fixConfiguration)
        #expect(error.detail.contains("status \(status)"))
    }

    @Test(arguments: steps, [408, 425, 429, 500, 502, 503])
    func `a status that passes costs nothing at any step`(_ point: Fault.Point, _ status: Int) async throws {
        let app = try await due()
        app.issuer.faults = [Fault(point, .status(status))]
        let error = try await failure { try await app.session().token() }
        #expect(error.reason == .unavailable && error.remedy == .retry(after: nil))
        #expect(try await app.stored()?.state == .signedIn)
        _ = try await app.session().token()
        #expect(app.statistics.reuseDetections == 0)
        #expect(app.statistics.accessTokensMade == 2)
    }

    @Test(arguments: steps)
    func `a connection that is lost before anything was done costs nothing at any step`(
        _ point: Fault.Point
    ) async throws {
        let app = try await due()
        app.issuer.faults = [Fault(point, .close)]
        let error = await #expect(throws: TransportError.self) { try await app.session().token() }
        #expect(error?.remedy == .retry(after: nil))
        _ = try await app.session().token()
        #expect(app.statistics.reuseDetections == 0)
    }

    // MARK: Error texts and extra fields

    @Test(
        arguments: [
            (.error("SESSION_REVOKED"), "SESSION_REVOKED", nil), (.errorObject, "fault", words),
            (.errorNumber, "42", words), (.errorDescription, "fault", words), (.errorMessage, "fault", words),
            (.descriptionAlone, "error", words), (.messageAlone, "error", words), (.plainError, nil, nil),
            (.emptyError, nil, nil), (.errorEcho, "(withheld: it repeats a token)", nil),
        ] as [(FaultKind, String?, String?)]
    )
    func `a refusal is one in every form, its words are kept and no token is`(
        _ kind: FaultKind,
        _ code: String?,
        _ description: String?
    ) async throws {
        let app = try ServedApp([Fault(.nianticRotate, kind)])
        let error = try await failure { try await app.establish() }
        #expect(error.reason == .sessionRefused && error.remedy == .signInAgain)
        #expect(error.issuerError?.error == code && error.issuerError?.description == description)
        #expect(error.detail.contains("status 400"))
        let sent = try #require(app.transport.requests.last.flatMap { IdentityService.cookie($0) })
        let shown = "\(error) \(error.issuerError?.error ?? "")"
        #expect(!shown.contains(sent))
    }

    // MARK: Rate limit and Retry-After

    @Test(
        arguments: [
            .status(429, retryAfter: 7), .status(503, retryAfter: 7), .busyUntil(429, seconds: 7),
            .busyUntil(503, seconds: 7),
        ] as [FaultKind],
        [0, 3600, -3600] as [Int64]
    )
    func `a time to wait counts in seconds and as a date by the service's clock`(
        _ kind: FaultKind,
        _ ahead: Int64
    ) async throws {
        let app = try ServedApp([Fault(.nianticRotate, kind)]) { $0.clockAhead = .seconds(ahead) }
        let error = try await failure { try await app.establish() }
        #expect(error.reason == .unavailable && error.remedy == .retry(after: .seconds(7)))
    }

    // MARK: No Set-Cookie at step 1

    @Test func `without a cookie the session token stays, and serves on`() async throws {
        let app = try ServedApp([Fault(.nianticRotate, .unrotated)])
        let held = try await app.establish()
        let sent = try #require(app.transport.requests.last.flatMap { IdentityService.cookie($0) })
        #expect(held.companions["session"]?.value == Secret(sent))
        _ = try await app.renew(held)
        #expect(app.outcomes == ["rotate granted (unrotated)", "refresh granted", "access granted"])
    }

    @Test func `where the service rotated all the same, its refusal ends the sign-in`() async throws {
        let app = try ServedApp([Fault(.nianticRotate, .noCookie)])
        let held = try await app.establish()
        let error = try await failure { try await app.renew(held) }
        #expect(error.reason == .sessionRefused && error.remedy == .signInAgain)
        #expect(app.outcomes.last == "refresh reuse")
    }

    @Test(arguments: [(19, nil), (20, .sessionEnded)] as [(Int, NianticError.Code?)])
    func `without a cookie a session token that has ended meanwhile is the end`(
        _ seconds: Int,
        _ reason: NianticError.Code?
    ) async throws {
        let app = try ServedApp([Fault(.nianticRotate, .hang(seconds: seconds))]) { options in
            options.sessionTokenLifetime = .seconds(20)
            options.rotatesSessionTokens = false
        }
        if let reason {
            let error = try await failure { try await app.establish() }
            #expect(error.reason == reason && error.remedy == .signInAgain)
        } else {
            #expect(try await app.establish().companions["session"] != nil)
        }
    }

    // MARK: Set-Cookie empty or deleted

    @Test(
        arguments: [Fault.Point.nianticRotate, .nianticRefresh],
        [FaultKind.emptyCookie, .deletedCookie, .endedCookie]
    )
    func `a cookie that is taken back is a session that was revoked`(
        _ point: Fault.Point,
        _ kind: FaultKind
    ) async throws {
        let app = try ServedApp([Fault(point, kind)])
        let error = try await failure { try await app.renew(try await app.establish()) }
        #expect(error.reason == .sessionRevoked && error.remedy == .signInAgain)

        let kept = try await due()
        kept.issuer.faults = [Fault(point, kind)]
        await #expect(throws: SessionError.self) { try await kept.session().token() }
        #expect(try await kept.stored()?.state == .needsSignIn)
        #expect(kept.statistics.familiesKilled == 1 && kept.statistics.reuseDetections == 0)
    }

    // MARK: A lost answer to a call that rotates

    @Test(arguments: [FaultKind.closeAfterCommit, .hangAfterCommit, .malformed, .emptyBody])
    func `a lost answer to step 3 is made good by the session token, the spent one is not sent again`(
        _ kind: FaultKind
    ) async throws {
        let app = try ServedApp()
        try await app.signIn()
        app.time.advance(by: .seconds(3600))
        app.issuer.faults = [Fault(.nianticAccess, kind)]
        await #expect(throws: (any Error).self) { try await app.session().token() }
        #expect(try await app.stored()?.state == .signedIn)
        _ = try await app.session().token()
        #expect(later(app) == ["access granted (\(kind))"] + Self.full)
    }

    @Test(arguments: [FaultKind.closeAfterCommit, .hangAfterCommit])
    func `a lost answer to step 1 is tried once more with the old token, then a person is needed`(
        _ kind: FaultKind
    ) async throws {
        let app = try await due()
        app.issuer.faults = [Fault(.nianticRotate, kind)]
        await #expect(throws: TransportError.self) { try await app.session().token() }
        #expect(try await app.stored()?.state == .signedIn)
        for _ in 0..<2 {
            let error = await #expect(throws: SessionError.self) { try await app.session().token() }
            #expect(error?.reason == .answerLost)
        }
        #expect(later(app) == ["rotate granted (\(kind))", "rotate reuse"])
    }

    // MARK: The new refresh token absent at step 3

    @Test func `without a new refresh token the old one stays, and serves on`() async throws {
        let app = try ServedApp()
        let held = try await app.renew(try await app.establish())
        app.issuer.faults = [Fault(.nianticAccess, .unrotated)]
        let renewed = try await app.renew(held)
        #expect(renewed.refreshToken == held.refreshToken)
        #expect(renewed.accessTokens[.primary] != held.accessTokens[.primary])
        _ = try await app.renew(renewed)
        #expect(later(app) == ["access granted (unrotated)", "access granted"])
    }

    @Test func `where the service rotated all the same, its refusals end the sign-in`() async throws {
        let app = try ServedApp()
        let held = try await app.renew(try await app.establish())
        app.issuer.faults = [Fault(.nianticAccess, .noRefreshToken)]
        let renewed = try await app.renew(held)
        #expect(renewed.refreshToken == held.refreshToken)
        let error = try await failure { try await app.renew(renewed) }
        #expect(error.reason == .sessionRefused && error.remedy == .signInAgain)
        #expect(later(app) == ["access granted (no-refresh-token)", "access reuse", "rotate ended"])
    }

    // MARK: The sign-in's error callback

    @Test(
        arguments: [
            .error("login_failed"), .bareFailure, .noToken, .malformed, .expired, .missingExp, .opaqueToken,
        ] as [FaultKind]
    )
    func `a callback without a usable token is a failed login, and nothing is sent`(_ kind: FaultKind) async throws {
        let app = try ServedApp([Fault(.nianticSignIn, kind)])
        await #expect(throws: (any Error).self) { try await app.signIn() }
        #expect(app.outcomes.isEmpty)
        #expect(try await app.stored() == nil)
        try await app.signIn()
        #expect(app.outcomes == Self.full)
    }

    // MARK: Revocation by the sign-out page

    @Test(arguments: [(nil, true, 1), (nil, false, 0), (.status(503), true, 0)] as [(FaultKind?, Bool, Int)])
    func `what is held is cleared first, whatever the sign-out page does`(
        _ kind: FaultKind?,
        _ ends: Bool,
        _ killed: Int
    ) async throws {
        let app = try ServedApp { $0.signOutEndsSession = ends }
        try await app.signIn()
        app.issuer.faults = kind.map { [Fault(.nianticSignOut, $0)] } ?? []
        let report = try await app.session().signOut()
        let cleared = try #require(try await app.stored())
        #expect(cleared.state == .signedOut && cleared.companions.isEmpty && cleared.accessTokens.isEmpty)
        #expect(app.statistics.familiesKilled == 0)
        let address = try #require(report.endSession.flatMap { WebURL($0.address.reveal()) })
        _ = try await app.transport.send(HTTPRequest("GET", address))
        #expect(app.statistics.familiesKilled == killed)
    }

    // MARK: The request's time

    @Test(arguments: [(29, true), (30, true), (31, false)])
    func `a slow answer is waited for as long as the limit of 30 s`(_ seconds: Int, _ isTaken: Bool) async throws {
        let app = try ServedApp([Fault(.nianticRotate, .hang(seconds: seconds))])
        if isTaken {
            #expect(try await app.establish().state == .signedIn)
        } else {
            let error = await #expect(throws: TransportError.self) { try await app.establish() }
            #expect(error?.reason == .timedOut && error?.remedy == .retry(after: nil))
        }
        #expect(app.transport.requests.last?.deadline == .seconds(30))
    }

}
