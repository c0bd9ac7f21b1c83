import AuthKitCore

extension JWTCases {
    /// Two threads against one, our verification and libcrypto's in the same rounds.
    func verifyOnTwoThreads(into report: inout Report) async throws {
        let name = "jwt.verify.RS256.2-threads"
        guard options.wants(name) else { return }
        let token = try token(.rs256)
        let (verifier, text, keys, now) = (JWTVerifier(policy: policy(token)), token.text, keys, now)
        let (message, signature) = (token.signingInput, token.signature)
        let raws = [try token.rawVerification, try token.rawVerification]
        let own: @Sendable (Int, Int) throws -> Void = { _, count in
            for _ in 0..<count { _ = try verifier.verify(text, with: keys, at: now) }
        }
        let raw: @Sendable (Int, Int) throws -> Void = { thread, count in
            for _ in 0..<count { try raws[thread].verify(signature, of: message) }
        }
        let count = try await Stopwatch.fittingCount({ try own(0, $0) }, slice: 20_000_000)
        let rounds = 41
        var (one, two, scales, rawScales): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
        for _ in 0..<rounds {
            let single = try await Self.time(threads: 1, count, own)
            let double = try await Self.time(threads: 2, count, own)
            let rawSingle = try await Self.time(threads: 1, count, raw)
            let rawDouble = try await Self.time(threads: 2, count, raw)
            one.append(single)
            two.append(double)
            scales.append(single / double)
            rawScales.append(rawSingle / rawDouble)
        }
        let rawScale = (rawScales.median * 100).rounded() / 100
        let note = "the ratio is the throughput of 2 threads to that of 1: more is better; libcrypto alone \(rawScale)"
        var measured = Measurement(name, rounds: two, iterations: rounds * count * 2, note: note)
        measured.baseline = Measurement.Baseline(name: "one thread", median: one.median, ratio: scales.median)
        report.add(measured)
    }

    /// Nanoseconds for one call when so many threads do `count` calls each.
    private static func time(
        threads: Int,
        _ count: Int,
        _ work: @escaping @Sendable (Int, Int) throws -> Void
    ) async throws -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for thread in 0..<threads { group.addTask { try work(thread, count) } }
            try await group.waitForAll()
        }
        return (clock.now - start).nanoseconds / Double(count * threads)
    }
}
