import AuthKitCore
import AuthKitTesting
import Testing

@Suite(.timeLimit(.minutes(2))) struct RefreshWorkerTests {
    @Test func `what is due is renewed, once, and saved with its next due time; the rest is let be`() async throws {
        let rig = WorkerRig()
        for number in 1...40 { try await rig.add(rig.id(number)) }
        try await rig.add(rig.id(99), endingIn: .seconds(7200), dueIn: .seconds(7100))
        let worker = try await rig.worker()
        try await rig.running(worker) {
            try await rig.pass(until: "all were renewed") { await worker.counts.renewed == 40 }
        }
        #expect(rig.issuer.sends.count == 40)
        #expect(rig.issuer.sends.values.allSatisfy { $0 == 1 })
        for number in 1...40 {
            let credential = try #require(try await rig.stored(rig.id(number)))
            #expect(credential.refreshToken?.value == Secret("\(number)-2"))
            #expect(credential.intents.isEmpty)
        }
        #expect(try await rig.stored(rig.id(99))?.refreshToken?.value == Secret("99-1"))
        // Due again a minute before its end, and not before.
        let store = try #require(rig.store as? any DueTokenStore)
        let due = try await store.claimDue(before: rig.time.now.wall + WorkerRig.life, limit: 100, for: .zero)
            .compactMap(\.due)
        #expect(due.count == 40)
        #expect(due.allSatisfy { $0 > rig.time.now.wall })
        #expect(await worker.counts.late == 0)
    }

    @Test func `workers that share a store renew each credential once`() async throws {
        let rig = WorkerRig()
        for number in 1...120 { try await rig.add(rig.id(number, issuer: number % 5)) }
        var workers: [RefreshWorker] = []
        for _ in 0..<3 { workers.append(try await rig.worker { $0.batch = 7 }) }
        let runs = workers.map { worker in Task { await worker.run() } }
        try await rig.pass(until: "all were renewed") { rig.issuer.sends.count == 120 }
        for worker in workers { await worker.drain() }
        for run in runs { await run.value }
        #expect(rig.issuer.sends.values.allSatisfy { $0 == 1 })
        for number in 1...120 {
            #expect(
                try await rig.stored(rig.id(number, issuer: number % 5))?.refreshToken?.value == Secret("\(number)-2")
            )
        }
    }

    @Test func `limits hold for all and for each issuer`() async throws {
        let rig = WorkerRig()
        for number in 1...60 { try await rig.add(rig.id(number, issuer: number % 3)) }
        rig.issuer.gate.withLock { gate in gate = { try? await rig.time.sleep(for: .milliseconds(300)) } }
        let worker = try await rig.worker { options in
            options.limits = RefreshLimits(
                total: .init(perSecond: 1000, burst: 1000, concurrent: 5),
                perIssuer: .init(perSecond: 1000, burst: 1000, concurrent: 2)
            )
        }
        try await rig.running(worker) {
            try await rig.pass(until: "all were renewed") { await worker.counts.renewed == 60 }
        }
        // Never more than five; how near it comes is the machine's affair, but one issuer alone has two at most.
        #expect((3...5).contains(rig.issuer.state.withLock { $0.mostRunning }))
        #expect(rig.issuer.state.withLock { $0.mostByIssuer } == 2)
    }

    @Test func `rates hold`() async throws {
        let rig = WorkerRig()
        for number in 1...12 { try await rig.add(rig.id(number), endingIn: .seconds(3000)) }
        let worker = try await rig.worker(
            { options in
                options.limits = RefreshLimits(perIssuer: .init(perSecond: 1, burst: 2, concurrent: 16))
            },
            provider: { _ in
                CountingProvider(
                    issuer: rig.issuer,
                    traits: ProviderTraits(refresh: RefreshPolicy(lead: .seconds(3100), leadFraction: 1, jitter: 0))
                )
            }
        )
        let start = rig.time.now
        try await rig.running(worker) {
            try await rig.pass(until: "all were renewed") { rig.issuer.sends.count == 12 }
        }
        // Two at once, and ten seconds for the other ten.
        #expect(rig.time.now.since(start) >= .seconds(10))
    }

    @Test func `what calls back into the app and what nobody here renews is given back`() async throws {
        let rig = WorkerRig()
        try await rig.add(rig.id(1, kind: "strange"))
        try await rig.add(rig.id(2))
        let worker = try await rig.worker(provider: { credential in
            guard credential.id.provider == ProviderKind("counting") else { return nil }
            return CountingProvider(issuer: rig.issuer, traits: ProviderTraits(needsCallback: true))
        })
        try await rig.running(worker) {
            try await rig.pass(until: "both were looked at") { await worker.counts.skipped >= 2 }
            let start = rig.time.now
            let before = await worker.counts.skipped
            try await rig.pass(until: "they were looked at again") { await worker.counts.skipped > before }
            #expect(rig.time.now.since(start) >= .seconds(5))
        }
        #expect(rig.issuer.sends.isEmpty)
        let store = try #require(rig.store as? any DueTokenStore)
        #expect(try await store.claimDue(before: nil, limit: 10, for: .zero).count == 2)
    }

    @Test func `a record that does not open stops nobody`() async throws {
        let rig = WorkerRig()
        try await rig.add(rig.id(1))
        var record = try #require(try await rig.store.list(after: nil, limit: 1).first)
        record = try #require(try await rig.store.load(record.key))
        let version = record.version
        record.payload[60] ^= 1
        try await rig.store.save(record, replacing: version, under: nil)
        try await rig.add(rig.id(2))
        let worker = try await rig.worker()
        try await rig.running(worker) {
            try await rig.pass(until: "the other was renewed") { await worker.counts.renewed == 1 }
        }
        #expect(await worker.counts.damaged >= 1)
        #expect(rig.issuer.sends == ["2-1": 1])
    }

    @Test func `a store that does not know what is due is refused`() async throws {
        let rig = WorkerRig { _ in FailingStore() }
        await #expect(throws: StoreError.self) { _ = try await rig.worker() }
    }
}
