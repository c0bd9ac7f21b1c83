import AuthKitCore
import AuthKitTesting
import Testing

/// What a sign-in proves before it begins, and what ends it no longer once a code is on the wire.
@Suite struct SignInBoundsTests {
    /// A sign-in whose code is being redeemed until the latch opens, by a provider that would heed a cancellation.
    private func redeeming(
        _ rig: SessionRig,
        _ window: SaveWindow
    ) async throws -> (call: Task<SignInReport, any Error>, latch: Latch) {
        let latch = Latch()
        var provider = rig.provider()
        provider.whileRedeeming = {
            await latch.pass()
            try Task.checkCancellation()
        }
        let session = try await rig.session(provider, saveWindow: window)
        let call = Task { try await session.signIn(through: NoAgent(), within: .seconds(300)) }
        await latch.someoneArrived()
        return (call, latch)
    }

    @Test(.timeLimit(.minutes(1)))
    func `cancellation while the code is redeemed returns at once and does not stop the save`() async throws {
        let rig = SessionRig()
        let window = SaveWindow()
        let (call, latch) = try await redeeming(rig, window)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(!window.isIdle)
        latch.open()
        while !window.isIdle, !Task.isCancelled { await Task.yield() }
        #expect(try await rig.stored()?.state == .signedIn)
    }

    @Test func `a limit that passes while the code is redeemed does not stop the sign-in`() async throws {
        let rig = SessionRig()
        let (call, latch) = try await redeeming(rig, SaveWindow())
        await rig.time.waitForSleepers(1)
        rig.time.advance(by: .seconds(300))
        for _ in 0..<1000 { await Task.yield() }
        latch.open()
        #expect(try await call.value.account?.subject == "alice")
        #expect(try await rig.stored()?.state == .signedIn)
    }

    @Test func `a store that cannot be written is told before anybody is asked`() async throws {
        let store = FailingStore()
        let rig = SessionRig(store: store)
        let asked = Guarded(false)
        var provider = rig.provider()
        provider.beforeSignIn = { asked.withLock { $0 = true } }
        let session = try await rig.session(provider)
        store.failAfterSaves(0)
        await #expect { try await session.signIn(through: NoAgent()) } throws: { ($0 as? StoreError)?.code == .full }
        #expect(!asked.withLock { $0 })
    }
}
