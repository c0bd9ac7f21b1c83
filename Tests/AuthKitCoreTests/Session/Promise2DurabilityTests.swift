import AuthKitCore
import AuthKitTesting
import Testing

@Suite("Promise 2: a rotated token is durable before it is used")
struct Promise2DurabilityTests {
    /// Stands for the end of a process at a fault point: everything after it does not happen.
    struct Killed: Error {}

    /// Runs one `token` call of a process that dies at a point, leases gone with it.
    private func die(at point: FaultPoint, in rig: SessionRig) async throws {
        let session = try await rig.session()
        await #expect(throws: Killed.self) {
            try await FaultPoint.$handler.withValue({ reached in
                if reached == point { throw Killed() }
            }) {
                _ = try await session.token()
            }
        }
    }

    @Test func `the intent is stored before the token is sent`() async throws {
        let rig = SessionRig()
        try await rig.signInAndExpire()
        try await die(at: .intentSaved, in: rig)
        let intents = try #require(await rig.stored()?.intents)
        #expect(intents[TokenFingerprint(of: Secret("refresh-1"))]?.sends == 1)
        #expect(rig.issuer.renewals == 0)
    }

    @Test func `a death before anything was sent loses nothing`() async throws {
        for point in [FaultPoint.leaseTaken, .intentSaved] {
            let rig = SessionRig()
            try await rig.signInAndExpire()
            try await die(at: point, in: rig)
            #expect(try await rig.session().token().token.value.reveal() == "access-2")
            #expect(rig.issuer.reuses == 0)
            #expect(try await rig.stored()?.intents.isEmpty == true)
        }
    }

    @Test func `a death between the answer and the save is told as a lost answer`() async throws {
        let rig = SessionRig()
        try await rig.signInAndExpire()
        try await die(at: .answerReceived, in: rig)
        #expect(await sessionCode { try await rig.session().token() } == .answerLost)
        let stored = try await rig.stored()
        #expect(stored?.state == .needsSignIn)
        #expect(stored?.problem?.code == "answer_lost")
        #expect(await sessionCode { try await rig.session().token() } == .answerLost)
    }

    @Test func `a death after the save leaves the new tokens`() async throws {
        let rig = SessionRig()
        try await rig.signInAndExpire()
        try await die(at: .answerSaved, in: rig)
        let issued = try await rig.session().token()
        #expect(issued.token.value.reveal() == "access-2")
        #expect(!issued.refreshed)
        #expect(rig.issuer.renewals == 1)
    }

    @Test func `a death in sign-in leaves what was stored before`() async throws {
        let rig = SessionRig()
        _ = try await rig.session().signIn(through: NoAgent())
        let before = try await rig.stored()
        var provider = rig.provider()
        provider.subject = "bob"
        let session = try await rig.session(provider)
        await #expect(throws: Killed.self) {
            try await FaultPoint.$handler.withValue({ _ in throw Killed() }) {
                _ = try await session.signIn(through: NoAgent())
            }
        }
        #expect(try await rig.stored() == before)
    }

    @Test func `no caller sees a token that could not be stored, in a one-shot command`() async throws {
        let store = FailingStore()
        let rig = SessionRig(store: store)
        try await rig.signInAndExpire()
        var options = SessionOptions()
        options.saveFailure = .fail
        let session = try await rig.session(options: options)
        let start = rig.time.now
        store.failAfterSaves(1)  // The intent is saved, the answer is not.
        let call = Task { await sessionCode { try await session.token() } }
        await run(rig.time) { _ = await call.result }
        #expect(await call.value == .saveFailed)
        let waited = rig.time.now.since(start)
        #expect(waited >= options.saveGrace && waited <= options.saveGrace + .seconds(1))
        #expect(rig.issuer.renewals == 1)
        store.heal()
        #expect(try await rig.stored()?.refreshToken?.value.reveal() == "refresh-1")
    }

    @Test func `a long-lived session serves from memory, says so, and stores as soon as it can`() async throws {
        let store = FailingStore()
        let rig = SessionRig(store: store)
        try await rig.signInAndExpire()
        let session = try await rig.session()
        store.failAfterSaves(1)
        let call = Task { try await session.token() }
        await run(rig.time) { _ = await call.result }
        let issued = try await call.value
        #expect(issued.isUnsaved)
        #expect(issued.token.value.reveal() == "access-2")
        #expect(try await session.token().isUnsaved)
        store.heal()
        await run(rig.time) { await store.untilSaved() }
        #expect(try await rig.stored()?.intents.isEmpty == true)
    }

    @Test func `an unsaved token that has ended is not handed out, and the next one is not fetched with a spent token`()
        async throws
    {
        let store = FailingStore()
        let rig = SessionRig(lifetime: .seconds(60), store: store)
        try await rig.signInAndExpire()
        let session = try await rig.session()
        store.failAfterSaves(1)
        let call = Task { try await session.token(validFor: .seconds(5)) }
        await run(rig.time) { _ = await call.result }
        #expect(try await call.value.isUnsaved)
        let unsaved = try await call.value.token.fingerprint
        let refused = await sessionCode {
            try await session.token(for: TokenRequest(reason: .rejected(unsaved)), validFor: .seconds(5))
        }
        #expect(refused == .busy)
        rig.time.advance(by: .seconds(60))
        #expect(await sessionCode { try await session.token(validFor: .seconds(5)) } == .busy)
        #expect(rig.issuer.renewals == 1)
        #expect(rig.issuer.reuses == 0)
        store.heal()
        await run(rig.time) { await store.untilSaved() }
        // The save that went on so long gives its lease back a moment later.
        while try await session.isRenewing() { await Task.yield() }
        #expect(try await session.token(validFor: .seconds(5)).token.value.reveal() == "access-3")
        #expect(rig.issuer.reuses == 0)
    }

    @Test func `a committed step that cannot be stored is stored with the result`() async throws {
        let store = FailingStore()
        let rig = SessionRig(store: store)
        try await rig.signInAndExpire()
        let provider = SteppingProvider(issuer: rig.issuer, between: {}, lastStep: nil)
        let session = Session(rig.id, provider: provider, vault: try await rig.vault(), time: rig.time)
        store.failAfterSaves(1)
        let call = Task { try await session.token() }
        await run(rig.time) { _ = await call.result }
        #expect(try await call.value.isUnsaved)
        store.heal()
        await run(rig.time) { await store.untilSaved() }
        #expect(try await rig.stored()?.accessTokens[.primary]?.value.reveal() == "access-2")
    }

    @Test func `a committed step that cannot be stored survives a later step that fails`() async throws {
        let store = FailingStore()
        let rig = SessionRig(store: store)
        try await rig.signInAndExpire()
        let failure = MemoryFailure(code: "keys_unavailable", remedy: .retry(after: nil), delivery: .answeredUnclear)
        let provider = SteppingProvider(issuer: rig.issuer, between: {}, lastStep: failure)
        let session = Session(rig.id, provider: provider, vault: try await rig.vault(), time: rig.time)
        store.failAfterSaves(1)
        let call = Task { try await session.token() }
        await run(rig.time) { _ = await call.result }
        await #expect(throws: MemoryFailure.self) { try await call.value }
        store.heal()
        await run(rig.time) { await store.untilSaved() }
        #expect(try await rig.session().token().token.value.reveal() == "access-3")
        #expect(rig.issuer.reuses == 0)
    }

    @Test func `a save that was reported as failed and took effect is no conflict`() async throws {
        let store = FailingStore()
        let rig = SessionRig(store: store)
        try await rig.signInAndExpire()
        let session = try await rig.session()
        store.failAfterSaves(1, thoughWritten: true)
        let call = Task { try await session.token() }
        await store.untilFailed()
        store.heal()
        await run(rig.time) { _ = await call.result }
        #expect(try await call.value.token.value.reveal() == "access-2")
        #expect(rig.issuer.revoked.isEmpty)
    }

    @Test func `cancellation after the token was sent does not stop the save`() async throws {
        let rig = SessionRig()
        try await rig.signInAndExpire()
        let latch = Latch()
        var provider = rig.provider()
        provider.beforeAnswer = { await latch.pass() }
        let window = SaveWindow()
        let session = try await rig.session(provider, saveWindow: window)
        let call = Task { try await session.token() }
        await latch.someoneArrived()
        #expect(!window.isIdle)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        latch.open()
        #expect(await window.drain(within: .seconds(15)))
        #expect(try await rig.stored()?.refreshToken?.value.reveal() == "refresh-2")
    }

    @Test func `nothing is sent once the process is ending`() async throws {
        let rig = SessionRig()
        try await rig.signInAndExpire()
        let window = SaveWindow()
        #expect(await window.drain(within: .zero))
        let session = try await rig.session(saveWindow: window)
        #expect(await sessionCode { try await session.token() } == .ending)
        #expect(rig.issuer.renewals == 0)
        #expect(try await rig.stored()?.intents.isEmpty == true)
    }

    /// Moves the clock on whenever somebody sleeps on it, until the work has ended.
    private func run<Value>(_ time: ManualTime, until work: () async throws -> Value) async rethrows -> Value {
        let pump = Task {
            while true {
                await time.waitForSleepers(1)
                if Task.isCancelled { return }
                if let next = time.remainingSleeps.first { time.advance(by: next) }
            }
        }
        defer { pump.cancel() }
        return try await work()
    }
}
