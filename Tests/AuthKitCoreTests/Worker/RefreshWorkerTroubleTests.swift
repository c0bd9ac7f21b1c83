import AuthKitCore
import AuthKitTesting
import Testing

/// Failures, deaths and ends.
@Suite(.timeLimit(.minutes(2))) struct RefreshWorkerTroubleTests {
    @Test func `a failure that may pass is tried again later, and the issuer's pause is kept`() async throws {
        let rig = WorkerRig()
        try await rig.add(rig.id(1), endingIn: .seconds(20))
        let busy = MemoryFailure(code: "http_429", remedy: .retry(after: .seconds(8)), delivery: .answered)
        rig.issuer.state.withLock { $0.failures["1"] = [busy] }
        let worker = try await rig.worker()
        let start = rig.time.now
        try await rig.running(worker) {
            try await rig.pass(until: "it was renewed") { await worker.counts.renewed == 1 }
        }
        #expect(rig.time.now.since(start) >= .seconds(8))
        #expect(await worker.counts.failed == 1)
        #expect(rig.issuer.sends == ["1-1": 2])
    }

    @Test func `a login that is lost is not asked for again`() async throws {
        let rig = WorkerRig()
        let credential = try await rig.add(rig.id(1))
        let refused = MemoryFailure(code: "invalid_grant", remedy: .signInAgain, delivery: .answered)
        rig.issuer.state.withLock { $0.failures["1"] = [refused] }
        let worker = try await rig.worker()
        try await rig.running(worker) {
            try await rig.pass(until: "it was refused") { await worker.counts.stopped == 1 }
            let end = rig.time.now.wall + .seconds(100)
            try await rig.pass(until: "a while passed") { rig.time.now.wall >= end }
        }
        #expect(rig.issuer.sends == ["1-1": 1])
        #expect(try await rig.stored(credential.id)?.state == .needsSignIn)
    }

    @Test func `what a dead worker claimed is taken over when its claim lapses`() async throws {
        let rig = WorkerRig()
        try await rig.add(rig.id(1), endingIn: .seconds(50))
        let store = try #require(rig.store as? any DueTokenStore)
        #expect(try await store.claimDue(before: nil, limit: 10, for: .seconds(20)).count == 1)
        let worker = try await rig.worker()
        let start = rig.time.now
        try await rig.running(worker) {
            try await rig.pass(until: "it was renewed") { await worker.counts.renewed == 1 }
        }
        #expect((.seconds(19)...Duration.seconds(25)).contains(rig.time.now.since(start)))
    }

    @Test func `what a dead worker was renewing is renewed once its lease is free, and its token sent again`()
        async throws
    {
        let rig = WorkerRig()
        // The token itself lives for long: the doubt is what makes it due.
        var credential = try await rig.add(rig.id(1), endingIn: .seconds(3000), dueIn: .seconds(2000))
        let version = try #require(try await rig.vault().version(of: credential.id))
        let sent = TokenFingerprint(of: Secret("1-1"))
        credential.intents[sent] = Intent(sends: 1, at: rig.time.now.wall)
        let due = rig.time.now.wall + .seconds(5)
        _ = try await rig.vault().save(credential, replacing: version, due: due)
        let worker = try await rig.worker()
        try await rig.running(worker) {
            try await rig.pass(until: "it was renewed") { await worker.counts.renewed == 1 }
        }
        #expect(try await rig.stored(credential.id)?.refreshToken?.value == Secret("1-2"))
        #expect(try await rig.stored(credential.id)?.intents.isEmpty == true)
    }

    @Test func `what is in doubt is renewed before what was claimed earlier`() async throws {
        let rig = WorkerRig()
        for number in 1...30 { try await rig.add(rig.id(number)) }
        var credential = try await rig.add(rig.id(31))
        let version = try #require(try await rig.vault().version(of: credential.id))
        credential.intents[TokenFingerprint(of: Secret("31-1"))] = Intent(sends: 1, at: rig.time.now.wall)
        _ = try await rig.vault().save(credential, replacing: version, due: rig.time.now.wall + .seconds(3))
        let worker = try await rig.worker { options in
            options.limits = RefreshLimits(total: .init(perSecond: 1, burst: 1, concurrent: 4))
        }
        try await rig.running(worker) {
            try await rig.pass(until: "it was renewed") { rig.issuer.sends["31-1"] == 1 }
        }
        #expect(rig.issuer.sends.count < 10)
    }

    @Test func `what somebody else is renewing is let be`() async throws {
        let rig = WorkerRig()
        let credential = try await rig.add(rig.id(1))
        let (elsewhere, latch) = (CountingIssuer(), Latch())
        elsewhere.gate.withLock { gate in gate = { await latch.pass() } }
        let session = Session(
            credential.id,
            provider: CountingProvider(issuer: elsewhere),
            vault: try await rig.vault(),
            time: rig.time
        )
        let other = Task { try await session.token(for: TokenRequest(reason: .forced)) }
        try await rig.pass(until: "it is under way elsewhere") { elsewhere.sends.count == 1 }
        let worker = try await rig.worker()
        try await rig.running(worker) {
            try await rig.pass(until: "it was found held") { await worker.counts.busy >= 2 }
            latch.open()
            _ = try await other.value
            let end = rig.time.now.wall + .seconds(20)
            try await rig.pass(until: "a while passed") { rig.time.now.wall >= end }
        }
        #expect(rig.issuer.sends.isEmpty)
        #expect(try await rig.stored(credential.id)?.refreshToken?.value == Secret("1-2"))
    }

    @Test func `draining waits for what is under way and gives back the rest`() async throws {
        let rig = WorkerRig()
        for number in 1...10 { try await rig.add(rig.id(number)) }
        let latch = Latch()
        rig.issuer.gate.withLock { gate in gate = { await latch.pass() } }
        let worker = try await rig.worker { options in
            options.limits = RefreshLimits(total: .init(perSecond: 100, burst: 100, concurrent: 2))
        }
        let run = Task { await worker.run() }
        try await rig.pass(until: "two were under way") { rig.issuer.sends.count == 2 }
        let ended = Guarded(false)
        let drain = Task {
            await worker.drain()
            ended.withLock { $0 = true }
        }
        let store = try #require(rig.store as? any DueTokenStore)
        try await rig.pass(until: "the rest was given back") {
            try await store.claimDue(before: nil, limit: 10, for: .zero).count == 8
        }
        let end = rig.time.now.wall + .seconds(5)
        try await rig.pass(until: "a while passed") { rig.time.now.wall >= end }
        #expect(!ended.withLock { $0 })
        latch.open()
        await drain.value
        await run.value
        #expect(rig.issuer.sends.count == 2)
        #expect(await worker.counts.renewed == 2)
    }

    @Test func `a run that is cancelled ends like one that is drained`() async throws {
        let rig = WorkerRig()
        for number in 1...10 { try await rig.add(rig.id(number)) }
        let latch = Latch()
        rig.issuer.gate.withLock { gate in gate = { await latch.pass() } }
        let worker = try await rig.worker { options in
            options.limits = RefreshLimits(total: .init(perSecond: 100, burst: 100, concurrent: 3))
        }
        let run = Task { await worker.run() }
        try await rig.pass(until: "three were under way") { rig.issuer.sends.count == 3 }
        run.cancel()
        let store = try #require(rig.store as? any DueTokenStore)
        try await rig.pass(until: "the rest was given back") {
            try await store.claimDue(before: nil, limit: 10, for: .zero).count == 7
        }
        latch.open()
        await run.value
        #expect(await worker.counts.renewed == 3)
        #expect(rig.issuer.sends.values.allSatisfy { $0 == 1 })
    }

    @Test func `a store that is away is asked again, less and less often`() async throws {
        let rig = WorkerRig { AwayStore(InMemoryStore(time: $0)) }
        try await rig.add(rig.id(1), endingIn: .seconds(55))
        let store = try #require(rig.store as? AwayStore)
        store.isAway.withLock { $0 = true }
        let worker = try await rig.worker()
        try await rig.running(worker) {
            let end = rig.time.now.wall + .seconds(30)
            try await rig.pass(until: "half a minute passed") { rig.time.now.wall >= end }
            #expect((2...30).contains(await worker.counts.storeFailures))
            store.isAway.withLock { $0 = false }
            try await rig.pass(until: "it was renewed") { await worker.counts.renewed == 1 }
        }
    }

    @Test func `events tell what became of each`() async throws {
        let rig = WorkerRig()
        try await rig.add(rig.id(1))
        try await rig.add(rig.id(2))
        let refused = MemoryFailure(code: "invalid_grant", remedy: .signInAgain, delivery: .answered)
        rig.issuer.state.withLock { $0.failures["2"] = [refused] }
        let worker = try await rig.worker()
        let events = worker.events
        try await rig.running(worker) {
            try await rig.pass(until: "both were done") {
                let counts = await worker.counts
                return counts.renewed + counts.stopped == 2
            }
        }
        var kinds: [String: RefreshEvent.Kind] = [:]
        for await event in events {
            kinds[event.credential?.slot ?? ""] = event.kind
            if kinds.count == 2 { break }
        }
        #expect(kinds == ["1": .renewed(late: .zero), "2": .stopped(code: "refresh_refused")])
    }
}
