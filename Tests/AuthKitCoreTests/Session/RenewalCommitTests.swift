import AuthKitCore
import AuthKitTesting
import Testing

/// A renewal of several steps, each of which leaves a durable state behind.
@Suite struct RenewalCommitTests {
    @Test func `a committed refresh token is kept when a later step fails for now`() async throws {
        let rig = SessionRig()
        _ = try await rig.session().signIn(through: NoAgent())
        rig.time.advance(by: .seconds(3590))
        let session = try await steps(
            rig,
            lastStep: MemoryFailure(
                code: "keys_unavailable",
                remedy: .retry(after: nil),
                delivery: .answeredUnclear
            )
        )
        let issued = try await session.token()
        #expect(issued.token.value.reveal() == "access-of-alice")
        #expect((issued.renewalFailure as? MemoryFailure)?.code == "keys_unavailable")
        let stored = try #require(await rig.stored())
        #expect(stored.refreshToken?.value.reveal() == "refresh-2")
        #expect(stored.intents.isEmpty)
        #expect(stored.state == .signedIn)
        #expect(try await rig.session().token(for: TokenRequest(reason: .forced)).token.value.reveal() == "access-3")
        #expect(rig.issuer.reuses == 0)
    }

    @Test func `a last step that is refused is no lost answer, since the answer was kept`() async throws {
        let rig = SessionRig()
        try await rig.signInAndExpire()
        let session = try await steps(
            rig,
            lastStep: MemoryFailure(
                code: "subject_changed",
                remedy: .signInAgain,
                delivery: .answered
            )
        )
        #expect(await sessionCode { try await session.token() } == .refreshRefused)
        #expect(try await rig.stored()?.problem?.code == "subject_changed")
        #expect(try await rig.stored()?.refreshToken?.value.reveal() == "refresh-2")
    }

    @Test func `a kept answer ends the doubt that an earlier lost one left`() async throws {
        let rig = SessionRig()
        try await rig.signInAndExpire()
        let offline = try await rig.session(MemoryProvider(issuer: MemoryIssuer(), fates: [.answerLost]))
        await #expect(throws: MemoryFailure.self) { try await offline.token() }
        #expect(try await rig.stored()?.intents.count == 1)
        let refusal = MemoryFailure(code: "subject_changed", remedy: .signInAgain, delivery: .answered)
        let session = try await steps(rig, lastStep: refusal)
        #expect(await sessionCode { try await session.token() } == .refreshRefused)
        #expect(try await rig.stored()?.problem?.code == "subject_changed")
    }

    @Test func `a sign-out between two steps wins`() async throws {
        let rig = SessionRig()
        try await rig.signInAndExpire()
        let session = try await steps(rig, between: { _ = try await rig.session().signOut() }, lastStep: nil)
        #expect(await sessionCode { try await session.token() } == .signedOut)
        #expect(try await rig.stored()?.state == .signedOut)
    }

    private func steps(
        _ rig: SessionRig,
        between: @escaping @Sendable () async throws -> Void = {},
        lastStep: MemoryFailure?
    ) async throws -> Session {
        let provider = SteppingProvider(issuer: rig.issuer, between: between, lastStep: lastStep)
        return Session(rig.id, provider: provider, vault: try await rig.vault(), time: rig.time)
    }
}
