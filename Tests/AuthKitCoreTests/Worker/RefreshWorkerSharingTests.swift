import AuthKitCore
import AuthKitTesting
import Testing

/// Nobody's records keep those of others waiting.
@Suite(.timeLimit(.minutes(2))) struct RefreshWorkerSharingTests {
    @Test func `an issuer that asks to be let be keeps no other waiting`() async throws {
        let rig = WorkerRig()
        try await rig.addMany(1...1000, issuer: 0)
        try await rig.add(rig.id(2000, issuer: 1), dueIn: .seconds(2))
        let busy = MemoryFailure(code: "http_429", remedy: .retry(after: .seconds(600)), delivery: .answered)
        rig.issuer.state.withLock { state in
            for number in 1...1000 { state.failures["\(number)"] = [busy] }
        }
        let worker = try await rig.worker()
        let start = rig.time.now
        try await rig.running(worker) {
            try await rig.pass(until: "the other issuer's was renewed", settled: true) {
                rig.issuer.sends["2000-1"] == 1
            }
            let counts = await worker.counts
            #expect(rig.time.now.since(start) < .seconds(8), "\(counts)")
            // What waited for the resting issuer was given back, and is not claimed while it rests.
            let claimed = await worker.counts.claimed
            let end = rig.time.now.wall + .seconds(120)
            try await rig.pass(until: "two minutes passed", settled: true) { rig.time.now.wall >= end }
            #expect(await worker.counts.claimed == claimed)
            let store = try #require(rig.store as? any DueTokenStore)
            #expect(try await store.claimDue(before: nil, limit: 1000, for: .zero).count >= 980)
        }
        #expect(rig.issuer.sends.count <= 17)
    }

    @Test func `an issuer that is asked slowly keeps no other waiting, also of those that come later`() async throws {
        let rig = WorkerRig()
        try await rig.addMany(1...1000, issuer: 0)
        for number in 2001...2003 { try await rig.add(rig.id(number, issuer: number), dueIn: .seconds(2)) }
        try await rig.addMany(3001...3004, issuer: 4, dueIn: .seconds(6))
        let worker = try await rig.worker { options in
            options.limits.issuers["https://issuer-0.example"] = .init(perSecond: 0.5, burst: 1, concurrent: 1)
        }
        let start = rig.time.now
        try await rig.running(worker) {
            try await rig.pass(until: "the others' were renewed", settled: true, withoutRenewalsOf: worker) {
                rig.issuer.sends.keys.count { $0.hasPrefix("200") || $0.hasPrefix("300") } >= 7
            }
        }
        let counts = await worker.counts
        #expect(rig.time.now.since(start) < .seconds(12), "\(counts)")
    }

    @Test func `many slow issuers keep none waiting that comes later`() async throws {
        let rig = WorkerRig()
        for issuer in 0..<40 { try await rig.addMany(issuer * 20 + 1...issuer * 20 + 20, issuer: issuer) }
        try await rig.add(rig.id(2000, issuer: 99), dueIn: .seconds(3))
        let worker = try await rig.worker { options in
            options.batch = 8
            options.limits.perIssuer = .init(perSecond: 0.1, burst: 1, concurrent: 1)
        }
        let start = rig.time.now
        try await rig.running(worker) {
            try await rig.pass(until: "the other issuer's was renewed", settled: true, withoutRenewalsOf: worker) {
                rig.issuer.sends["2000-1"] == 1
            }
        }
        let counts = await worker.counts
        #expect(rig.time.now.since(start) < .seconds(25), "\(counts)")
    }

    @Test func `an issuer that is alone has the whole queue`() async throws {
        let rig = WorkerRig()
        try await rig.addMany(1...200, issuer: 0)
        let latch = Latch()
        rig.issuer.gate.withLock { gate in gate = { await latch.pass() } }
        let worker = try await rig.worker { options in
            options.limits.perIssuer = .init(perSecond: 1000, burst: 1000, concurrent: 4)
        }
        try await rig.running(worker) {
            try await rig.pass(until: "the queue was full", settled: true) { await worker.counts.claimed >= 4 + 128 }
            latch.open()
            try await rig.pass(until: "all were renewed", settled: true) { rig.issuer.sends.count == 200 }
        }
    }

    @Test func `an issuer's limits hold while the data key is changed`() async throws {
        let rig = WorkerRig { AwayStore(InMemoryStore(time: $0)) }
        try await rig.addMany(1...24, issuer: 0)
        let store = try #require(rig.store as? AwayStore)
        store.purgesLeft.withLock { $0 = 12 }
        // Cut short in the middle: half lies under each key, with another hash of the issuer.
        await #expect(throws: StoreError.self) { _ = try await rig.vault().rekeyData() }
        #expect(Set(try await store.list(after: nil, limit: 100).map(\.issuerHash)).count == 2)
        store.purgesLeft.withLock { $0 = .max }
        rig.issuer.gate.withLock { gate in gate = { try? await rig.time.sleep(for: .milliseconds(300)) } }
        let worker = try await rig.worker { options in
            options.limits.perIssuer = .init(perSecond: 1000, burst: 1000, concurrent: 2)
        }
        try await rig.running(worker) {
            try await rig.pass(until: "all were renewed", settled: true) {
                rig.issuer.sends.count == 24
            }
        }
        #expect(rig.issuer.state.withLock { $0.mostByIssuer } == 2)
    }

    // MARK: What a worker cannot use

    @Test func `what another worker renews is left to it at once, and keeps nothing waiting`() async throws {
        let rig = WorkerRig()
        for number in 1...300 { try await rig.add(rig.id(number, issuer: 7, kind: "strange")) }
        try await rig.add(rig.id(1000, issuer: 1), dueIn: .seconds(2))
        let worker = try await rig.worker { $0.batch = 16 }
        let start = rig.time.now
        try await rig.running(worker) {
            try await rig.pass(until: "the worker's own was renewed", settled: true) { rig.issuer.sends["1000-1"] == 1 }
            #expect(rig.time.now.since(start) < .seconds(5))
            #expect(await worker.counts.claimed < 40)
            let store = try #require(rig.store as? any DueTokenStore)
            #expect(try await store.claimDue(before: nil, limit: 400, for: .zero).count == 300)
        }
    }

    @Test func `what nobody renews keeps nothing of its own issuer waiting`() async throws {
        let rig = WorkerRig()
        for number in 1...100 { try await rig.add(rig.id(number, kind: "strange")) }
        try await rig.add(rig.id(1000), dueIn: .seconds(2))
        let worker = try await rig.worker { $0.batch = 16 }
        let start = rig.time.now
        try await rig.running(worker) {
            try await rig.pass(until: "the worker's own was renewed", settled: true) { rig.issuer.sends["1000-1"] == 1 }
        }
        let counts = await worker.counts
        #expect(rig.time.now.since(start) < .seconds(120), "\(counts)")
    }

    @Test func `a worker without the key asks less and less often, and holds nothing`() async throws {
        let rig = WorkerRig()
        for issuer in 0..<40 { try await rig.addMany(issuer * 5 + 1...issuer * 5 + 5, issuer: issuer) }
        let worker = try await rig.worker { $0.batch = 8 }
        let other = EnvironmentKey(name: "other") { _ in String(repeating: "B", count: 42) + "A" }
        let vault = try await rig.vault()
        try await vault.rekey(to: other)
        _ = try await vault.rekeyData()
        try await rig.running(worker) {
            let end = rig.time.now.wall + .seconds(60)
            try await rig.pass(until: "a minute passed", settled: true) { rig.time.now.wall >= end }
            #expect((1...80).contains(await worker.counts.claimed))
            let store = try #require(rig.store as? any DueTokenStore)
            #expect(try await store.claimDue(before: nil, limit: 400, for: .zero).count >= 190)
        }
        #expect(rig.issuer.sends.isEmpty)
    }

    @Test func `giving back holds up no renewal`() async throws {
        let rig = WorkerRig { AwayStore(InMemoryStore(time: $0)) }
        let latch = Latch()
        try #require(rig.store as? AwayStore).unclaimGate.withLock { $0 = latch }
        try await rig.add(rig.id(1, issuer: 1, kind: "strange"))
        try await rig.add(rig.id(2), dueIn: .seconds(2))
        let worker = try await rig.worker()
        try await rig.running(worker) {
            try await rig.pass(until: "the other was renewed", settled: true) { rig.issuer.sends["2-1"] == 1 }
            latch.open()
        }
    }
}
