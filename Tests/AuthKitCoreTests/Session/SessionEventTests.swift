import AuthKitTesting
import Testing

@testable import AuthKitCore

/// What sessions tell of a credential, and what they say of where they stand.
@Suite struct SessionEventTests {
    /// The next events in words: the case, and what of its content does not change from run to run.
    private func next(_ count: Int, of iterator: inout SessionEvents.Iterator) async -> [String] {
        var words: [String] = []
        for _ in 0..<count { words.append(await iterator.next().map(Self.word) ?? "end") }
        return words
    }

    private static func word(_ event: SessionEvent) -> String {
        switch event {
        case .signedIn(let account, _): "signedIn \(account?.subject ?? "nobody")"
        case .accountSwitched(let from, let to, _): "switched \(from?.subject ?? "") \(to?.subject ?? "")"
        case .refreshing: "refreshing"
        case .renewed: "renewed"
        case .renewalFailed(let code, _, _): "failed \(code)"
        case .unsaved: "unsaved"
        case .saved: "saved"
        case .needsSignIn(let problem): "needsSignIn \(problem?.code ?? "")"
        case .signedOut: "signedOut"
        case .disposed: "disposed"
        case .missed(let count): "missed \(count)"
        }
    }

    @Test func `a sign-in, a renewal and a sign-out are told in order`() async throws {
        let rig = SessionRig()
        let session = try await rig.session()
        #expect(session.state == .signedOut)
        var events = session.events.makeAsyncIterator()
        _ = try await session.signIn(through: NoAgent())
        #expect(session.state == .signedIn)
        rig.time.advance(by: .seconds(3600))
        _ = try await session.token()
        _ = try await session.signOut()
        #expect(session.state == .signedOut)
        #expect(await next(4, of: &events) == ["signedIn alice", "refreshing", "renewed", "signedOut"])
    }

    @Test func `while the provider is asked the state says so, and a renewal tells when the token ends`() async throws {
        let rig = SessionRig()
        try await rig.signInAndExpire()
        let latch = Latch()
        var provider = rig.provider()
        provider.beforeAnswer = { await latch.pass() }
        let session = try await rig.session(provider)
        var events = session.events.makeAsyncIterator()
        let call = Task { try await session.token() }
        await latch.someoneArrived()
        #expect(session.state == .refreshing)
        latch.open()
        let issued = try await call.value
        #expect(await next(2, of: &events) == ["signedIn alice", "refreshing"])
        #expect(await events.next() == .renewed(.primary, issued.token.expiry))
        #expect(session.state == .signedIn)
    }

    @Test func `two sessions over one credential tell the same, and one made later knows where things stand`()
        async throws
    {
        let rig = SessionRig()
        let vault = try await rig.vault()
        let first = try await rig.session(vault: vault)
        let second = try await rig.session(vault: vault)
        var one = first.events.makeAsyncIterator()
        var two = second.events.makeAsyncIterator()
        _ = try await first.signIn(through: NoAgent())
        _ = try await second.token(for: TokenRequest(reason: .forced))
        let expected = ["signedIn alice", "refreshing", "renewed"]
        #expect(await next(3, of: &one) == expected)
        #expect(await next(3, of: &two) == expected)
        #expect(try await rig.session(vault: vault).state == .signedIn)
    }

    @Test func `what another process changed is told at the next load`() async throws {
        let rig = SessionRig()
        let session = try await rig.session()
        _ = try await session.signIn(through: NoAgent())
        var events = session.events.makeAsyncIterator()
        let request = TokenRequest(reason: .forced)
        _ = try await rig.session().token(for: request)
        rig.time.advance(by: .seconds(3590))
        _ = try await rig.session().token(validFor: .seconds(60))
        _ = try await session.token(validFor: .seconds(60))  // Finds it in the store.
        #expect(await next(1, of: &events) == ["renewed"])
        _ = try await rig.session().signOut()
        #expect(await sessionCode { try await session.token(for: request) } == .signedOut)
        #expect(await next(1, of: &events) == ["signedOut"])
        #expect(session.state == .signedOut)
    }

    @Test func `a failure tells its code and what to do, and the state goes back`() async throws {
        let rig = SessionRig()
        try await rig.signInAndExpire()
        let session = try await rig.session(rig.provider([.busy]))
        var events = session.events.makeAsyncIterator()
        await #expect(throws: MemoryFailure.self) { try await session.token() }
        #expect(await next(2, of: &events) == ["signedIn alice", "refreshing"])
        let failure = SessionEvent.renewalFailed(code: "http_429", remedy: .retry(after: nil), retryAfter: nil)
        #expect(await events.next() == failure)
        #expect(session.state == .signedIn)
    }

    @Test func `a refusal asks for a sign-in and says why`() async throws {
        let rig = SessionRig()
        try await rig.signInAndExpire()
        let session = try await rig.session(rig.provider([.refused]))
        var events = session.events.makeAsyncIterator()
        #expect(await sessionCode { try await session.token() } == .refreshRefused)
        let expected = ["signedIn alice", "refreshing", "needsSignIn invalid_grant"]
        #expect(await next(3, of: &events) == expected)
        guard case .needsSignIn(let problem) = session.state else {
            Issue.record("\(session.state)")
            return
        }
        #expect(problem?.code == "invalid_grant")
    }

    @Test func `another account is told as one, and the old renewal changes nothing`() async throws {
        let rig = SessionRig()
        let vault = try await rig.vault()
        try await rig.signInAndExpire()
        let latch = Latch()
        var provider = rig.provider()
        provider.beforeAnswer = { await latch.pass() }
        let session = try await rig.session(provider, vault: vault)
        var events = session.events.makeAsyncIterator()
        let call = Task { await sessionCode { try await session.token() } }
        await latch.someoneArrived()
        var other = rig.provider()
        other.subject = "bob"
        _ = try await rig.session(other, vault: vault).signIn(through: NoAgent())
        #expect(session.state == .signedIn)
        latch.open()
        #expect(await call.value == .superseded)
        #expect(session.state == .signedIn)
        #expect(try await session.token().account?.subject == "bob")
        session.dispose()
        let expected = ["signedIn alice", "refreshing", "switched alice bob", "disposed", "end"]
        #expect(await next(5, of: &events) == expected)
    }

    @Test func `an answer that cannot be stored is told, and its save too`() async throws {
        let store = FailingStore()
        let rig = SessionRig(store: store)
        try await rig.signInAndExpire()
        let session = try await rig.session()
        var events = session.events.makeAsyncIterator()
        store.failAfterSaves(1)
        let pump = Task { await rig.pump() }
        defer { pump.cancel() }
        #expect(try await session.token().isUnsaved)
        #expect(session.state == .signedIn)
        // A look at what is unsaved does not make it saved.
        let old = TokenRequest(reason: .rejected(TokenFingerprint(of: Secret("access-of-alice"))))
        #expect(try await session.token(for: old).isUnsaved)
        store.heal()
        #expect(await next(5, of: &events) == ["signedIn alice", "refreshing", "renewed", "unsaved", "saved"])
        #expect(try await !session.token().isUnsaved)
    }

    @Test func `nothing secret is in an event`() async throws {
        let rig = SessionRig()
        let session = try await rig.session()
        let events = session.events
        _ = try await session.signIn(through: NoAgent())
        _ = try await session.token(for: TokenRequest(reason: .forced))
        session.dispose()
        var text = ""
        for await event in events { dump(event, to: &text) }
        #expect(text.contains("alice"))
        #expect(!text.contains("access-") && !text.contains("refresh-"))
    }
}
