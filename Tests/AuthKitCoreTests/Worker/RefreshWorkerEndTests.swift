@testable import AuthKitCore
import AuthKitTesting
import Testing

/// What a worker waits for at its end, and for how long.
@Suite(.timeLimit(.minutes(2))) struct RefreshWorkerEndTests {
    @Test(arguments: [false, true])
    func `draining waits until an answer that the store did not take is stored`(sharesWindow: Bool) async throws {
        let rig = WorkerRig { AwayStore(InMemoryStore(time: $0)) }
        let store = try #require(rig.store as? AwayStore)
        let credential = try await rig.add(rig.id(1))
        rig.issuer.gate.withLock { gate in gate = { store.refusesSaves.withLock { $0 = true } } }
        let window = SaveWindow()
        let worker = try await rig.worker(saveWindow: sharesWindow ? window : nil)
        let run = Task { await worker.run() }
        try await rig.pass(until: "its answer was served unsaved") { await worker.counts.unsaved == 1 }
        let ended = Guarded(false)
        let drain = Task {
            await worker.drain()
            ended.withLock { $0 = true }
        }
        let end = rig.time.now.wall + .seconds(5)
        try await rig.pass(until: "a while passed") { rig.time.now.wall >= end }
        #expect(!ended.withLock { $0 })
        store.refusesSaves.withLock { $0 = false }
        try await rig.pass(until: "the worker ended") { ended.withLock { $0 } }
        await drain.value
        await run.value
        #expect(try await rig.stored(credential.id)?.refreshToken?.value == Secret("1-2"))
        #expect(try await rig.stored(credential.id)?.intents.isEmpty == true)
        // A window that others have is theirs: it stays open.
        #expect(!sharesWindow || window.isIdle)
        #expect(!sharesWindow || window.open())
    }

    @Test func `draining waits for a store that stays away no longer than a command does`() async throws {
        let rig = WorkerRig { AwayStore(InMemoryStore(time: $0)) }
        let store = try #require(rig.store as? AwayStore)
        try await rig.add(rig.id(1))
        rig.issuer.gate.withLock { gate in gate = { store.refusesSaves.withLock { $0 = true } } }
        let worker = try await rig.worker()
        let run = Task { await worker.run() }
        try await rig.pass(until: "its answer was served unsaved") { await worker.counts.unsaved == 1 }
        let ended = Guarded(false)
        let start = rig.time.now
        let drain = Task {
            await worker.drain()
            ended.withLock { $0 = true }
        }
        try await rig.pass(until: "the worker ended") { ended.withLock { $0 } }
        await drain.value
        await run.value
        #expect((.seconds(14)...Duration.seconds(20)).contains(rig.time.now.since(start)))
        store.refusesSaves.withLock { $0 = false }
    }

    @Test func `a provider that hangs gives its place up, and is let be as long as it does`() async throws {
        let rig = WorkerRig()
        for number in 1...2 { try await rig.add(rig.id(number)) }
        try await rig.add(rig.id(3, issuer: 1), endingIn: .seconds(100), dueIn: .seconds(2))
        let latch = Latch()
        let worker = try await rig.worker(
            { options in
                options.limits = RefreshLimits(total: .init(perSecond: 100, burst: 100, concurrent: 2))
                options.renewalLimit = .seconds(90)
            },
            provider: { credential in
                HangingProvider(CountingProvider(issuer: rig.issuer), credential.id.slot == "3" ? nil : latch)
            }
        )
        let events = worker.events
        let start = rig.time.now
        let run = Task { await worker.run() }
        try await rig.pass(until: "the other was renewed") { rig.issuer.sends["3-1"] == 1 }
        #expect((.seconds(90)...Duration.seconds(95)).contains(rig.time.now.since(start)))
        try await rig.pass(until: "it was told") { await worker.counts.renewed == 1 }
        // Claimed again meanwhile, it takes no place: the renewal that hangs is the one there is.
        let end = rig.time.now.wall + .seconds(60)
        try await rig.pass(until: "a minute passed") { rig.time.now.wall >= end }
        #expect(await worker.counts.renewing == 0)
        #expect(await worker.counts.failed == 2)
        // It hangs, and nothing waits for it.
        await worker.drain()
        await run.value
        var kinds: [RefreshEvent.Kind] = []
        for await event in events {
            kinds.append(event.kind)
            if kinds.count == 3 { break }
        }
        #expect(kinds.count { $0 == .failed(code: "timed_out", retryIn: .seconds(30)) } == 2)
        // Its process is about to end: what it would send now could not be stored.
        latch.open()
        let later = rig.time.now.wall + .seconds(5)
        try await rig.pass(until: "a while passed") { rig.time.now.wall >= later }
        #expect(rig.issuer.sends == ["3-1": 1])
    }

    @Test func `draining gives up on a provider that hangs when its time is over`() async throws {
        let rig = WorkerRig()
        try await rig.add(rig.id(1))
        let latch = Latch()
        let worker = try await rig.worker(
            { $0.renewalLimit = .seconds(40) },
            provider: { _ in HangingProvider(CountingProvider(issuer: rig.issuer), latch) }
        )
        let start = rig.time.now
        let run = Task { await worker.run() }
        try await rig.pass(until: "it was begun") { await worker.counts.renewing == 1 }
        let ended = Guarded(false)
        let drain = Task {
            await worker.drain()
            ended.withLock { $0 = true }
        }
        try await rig.pass(until: "the worker ended") { ended.withLock { $0 } }
        await drain.value
        await run.value
        #expect((.seconds(40)...Duration.seconds(45)).contains(rig.time.now.since(start)))
        latch.open()
    }
}

/// Waits at a latch before it asks, whatever the deadline is.
private struct HangingProvider: TokenProvider {
    private let base: CountingProvider
    private let latch: Latch?

    init(_ base: CountingProvider, _ latch: Latch?) {
        self.base = base
        self.latch = latch
    }

    var kind: ProviderKind { base.kind }
    var traits: ProviderTraits { base.traits }

    func renew(_ held: StoredCredential, for request: TokenRequest, in context: RenewalContext) async throws -> Renewal
    {
        await latch?.pass()
        return try await base.renew(held, for: request, in: context)
    }

    func revoke(_ held: StoredCredential, in context: ProviderContext) async -> [RevocationResult] { [] }
}
