internal import AuthKitCore

extension TokenStoreConformance {
    /// Many callers at once.
    static let concurrency: [Rule] = [
        Rule("of fifty writers at once exactly one wins each round") { bench in
            let key = try bench.key(1)
            var before: RecordVersion?
            for round in 1...5 {
                let winners = try await raceWriters(bench, key, round: Int64(round), over: before)
                try bench.expect(winners.count == 1, "\(winners.count) of 50 writers won round \(round)")
                let loaded = try await bench.stored(key)
                try bench.expect(
                    winners == [loaded.payload],
                    "what is stored after round \(round) is not the winner's record"
                )
                before = loaded.version
            }
        },
        Rule("a lease taken by twenty tasks at once is never held twice") { bench in
            let key = try bench.key(1)
            let room = Occupancy()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        let lease = try await bench.store.lease(key, for: .refresh, waiting: .seconds(30))
                        room.enter()
                        for _ in 0..<10 { await Task.yield() }
                        room.leave()
                        await lease.release()
                    }
                }
                try await group.waitForAll()
            }
            try bench.expect(room.most == 1, "\(room.most) tasks held it at once")
        },
        Rule("records of different keys are written at once without loss") { bench in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...30 {
                    group.addTask {
                        let payload = [UInt8](repeating: UInt8(number), count: number * 100)
                        let record = bench.record(try bench.key(number), try bench.version(1), payload: payload)
                        try await bench.store.save(record, replacing: nil, under: nil)
                    }
                }
                try await group.waitForAll()
            }
            for number in 1...30 {
                let loaded = try await bench.stored(try bench.key(number))
                let expected = [UInt8](repeating: UInt8(number), count: number * 100)
                try bench.expect(loaded.payload == expected, "record \(number) is not what was saved")
            }
        },
    ]

    /// Saves fifty different records over one version; gives the payloads whose saves did not end in a conflict.
    private static func raceWriters(
        _ bench: Bench,
        _ key: RecordKey,
        round: Int64,
        over before: RecordVersion?
    ) async throws -> [[UInt8]] {
        try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
            for writer in 1...50 {
                group.addTask {
                    let version = try bench.version(round, of: UInt8(writer))
                    let record = bench.record(key, version, payload: [UInt8(writer), UInt8(round)])
                    do {
                        try await bench.store.save(record, replacing: before, under: nil)
                        return record.payload
                    } catch let error as StoreError where error.code == .conflict {
                        return nil
                    }
                }
            }
            var winners: [[UInt8]] = []
            for try await winner in group {
                if let winner { winners.append(winner) }
            }
            return winners
        }
    }

    /// Counts who is in, and the most that ever were.
    private final class Occupancy: Sendable {
        private let state = Guarded((now: 0, most: 0))

        var most: Int { state.withLock { $0.most } }

        func enter() {
            state.withLock { state in
                state.now += 1
                state.most = max(state.most, state.now)
            }
        }

        func leave() { state.withLock { $0.now -= 1 } }
    }
}
