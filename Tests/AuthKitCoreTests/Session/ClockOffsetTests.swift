import AuthKitCore
import AuthKitTesting
import Testing

/// A clock here that is wrong, and known to be.
@Suite struct ClockOffsetTests {
    private let rig = SessionRig()

    /// Signs in with an access token that ends by the issuer's clock, which is so far ahead of ours.
    private func session(endingIn lifetime: Duration, issuerAhead: Duration) async throws -> Session {
        _ = try await rig.session().signIn(through: NoAgent())
        let vault = try await rig.vault()
        let entry = try #require(await vault.load(rig.id))
        var credential = entry.credential
        credential.clockOffset = issuerAhead
        let issuerTime = rig.time.now.wall + issuerAhead
        credential.accessTokens[.primary] = HeldToken(Secret("by-exp"), expiry: .at(issuerTime + lifetime))
        credential.idToken = HeldToken(Secret("id"), expiry: .at(issuerTime + lifetime))
        try await vault.save(credential, replacing: entry.version)
        return try await rig.session()
    }

    @Test func `with a clock ten minutes slow no token is handed out whose exp has passed`() async throws {
        let session = try await session(endingIn: .seconds(300), issuerAhead: .seconds(600))
        #expect(try await session.token().token.value.reveal() == "by-exp")
        rig.time.advance(by: .seconds(301))  // By our clock there are ten minutes left.
        let issued = try await session.token()
        #expect(issued.token.value.reveal() == "access-2")
        #expect(issued.refreshed)
    }

    @Test func `with a clock ten minutes fast not every call renews`() async throws {
        let session = try await session(endingIn: .seconds(300), issuerAhead: .seconds(-600))
        for _ in 0..<3 {
            #expect(try await session.token().token.value.reveal() == "by-exp")
            rig.time.advance(by: .seconds(60))
        }
        #expect(rig.issuer.renewals == 0)
    }

    @Test func `a wall clock that is set back gives no token a longer life`() async throws {
        let session = try await session(endingIn: .seconds(300), issuerAhead: .zero)
        #expect(try await session.token().token.value.reveal() == "by-exp")
        rig.time.stepWall(by: .seconds(-3600))
        #expect(try await session.token().token.value.reveal() == "by-exp")
        rig.time.advance(by: .seconds(301))
        #expect(try await session.token().token.value.reveal() == "access-2")
    }

    @Test func `ends are told on this machine's clock`() async throws {
        let session = try await session(endingIn: .seconds(300), issuerAhead: .seconds(600))
        let end = rig.time.now.wall + .seconds(300)
        let issued = try await session.token()
        #expect(issued.token.expiry.wall == end)
        #expect(issued.idToken?.expiry.wall == end)
    }
}
