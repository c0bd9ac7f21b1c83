internal import AuthKitCore

extension TokenStoreConformance {
    /// The further rules of a `DueTokenStore`: what is due, in which order, and how claims divide the work.
    ///
    /// The store's clock must run: a rule waits for a claim of two seconds to lapse.
    public static let due: [Rule] = claiming + claimEnds

    /// What a claim gives.
    private static let claiming: [Rule] = [
        Rule("a claim takes what is due, the earliest first, whole") { bench in
            let payload = [UInt8](repeating: 7, count: 1 << 20)
            let past: [Duration] = [.nanoseconds(-59_500_000_000), .seconds(-60), .seconds(-3600), .nanoseconds(-1)]
            let due = WallTime(seconds: 1_700_000_000)
            var records: [SealedRecord] = []
            for (number, offset) in past.enumerated() {
                let record = try bench.dueRecord(number + 1, at: due + offset, payload: number == 0 ? payload : [1])
                try await bench.store.save(record, replacing: nil, under: nil)
                records.append(record)
            }
            let claimed = try await bench.dueStore.claimDue(before: nil, limit: 10, for: .seconds(600))
            let expected = [records[2], records[1], records[0], records[3]]
            try bench.expect(claimed.map(\.key) == expected.map(\.key), "the keys are \(claimed.map(\.key))")
            try bench.expect(claimed == expected, "the records differ from those saved")
        },
        Rule("a claim takes no more than its limit, and the earliest") { bench in
            for number in [3, 1, 4, 2] {
                try await bench.saveDue(number, at: WallTime(seconds: 1_700_000_000 + Int64(number)))
            }
            let none = try await bench.dueStore.claimDue(before: nil, limit: 0, for: .seconds(600))
            try bench.expect(none.isEmpty, "a claim of none has records")
            for expected in [[1, 2], [3, 4], []] {
                let claimed = try await bench.dueStore.claimDue(before: nil, limit: 2, for: .seconds(600))
                let keys = try expected.map { try bench.key($0) }
                try bench.expect(claimed.map(\.key) == keys, "\(claimed.map(\.key)) are claimed")
            }
        },
        Rule("where more is due than a claim takes, what was saved with a reserve comes first") { bench in
            for number in 1...4 {
                var record = try bench.dueRecord(number, at: WallTime(seconds: Int64(number)))
                record.reserve = number > 2 ? 1000 : 0
                try await bench.store.save(record, replacing: nil, under: nil)
            }
            for expected in [[3], [1, 4], [2]] {
                let limit = expected.count
                let claimed = try await bench.dueStore.claimDue(before: nil, limit: limit, for: .seconds(600))
                let keys = try expected.map { try bench.key($0) }
                try bench.expect(claimed.map(\.key) == keys, "\(claimed.map(\.key)) are claimed")
            }
        },
        Rule("a claim takes nothing of the issuers that it leaves out, and others' records in its stead") { bench in
            for number in 1...6 {
                var record = try bench.dueRecord(number, at: WallTime(seconds: Int64(number)))
                record.issuerHash = [UInt8](repeating: 1, count: 32)
                // Halves of two that are left out are not one that is.
                let halves = [UInt8](repeating: 3, count: 16) + [UInt8](repeating: 4, count: 16)
                if number == 5 { record.issuerHash = halves }
                if number == 6 { record.issuerHash = [UInt8](repeating: 6, count: 32) }
                record.reserve = number.isMultiple(of: 2) ? 1000 : 0
                try await bench.store.save(record, replacing: nil, under: nil)
            }
            // A thousand in all, the bound of what is heeded.
            var excluded = Set((0..<997).map { [UInt8($0 >> 8), UInt8($0 & 255)] + [UInt8](repeating: 9, count: 30) })
            for byte in [1, 3, 4] as [UInt8] { excluded.insert([UInt8](repeating: byte, count: 32)) }
            let steps: [(limit: Int, issuers: Set<[UInt8]>, numbers: [Int])] = [
                (1, excluded, [6]), (1, excluded, [5]), (10, excluded, []), (10, [], [1, 2, 3, 4]),
            ]
            for step in steps {
                let claimed = try await bench.dueStore.claimDue(
                    before: nil,
                    limit: step.limit,
                    for: .seconds(600),
                    excluding: step.issuers
                )
                let keys = try step.numbers.map { try bench.key($0) }
                try bench.expect(claimed.map(\.key) == keys, "\(claimed.map(\.key)) are claimed")
            }
        },
        Rule("a claim takes what is due by the time that is named, and that time itself") { bench in
            let limit = WallTime(sinceEpoch: .seconds(4_000_000_000) + .nanoseconds(500))
            for (number, offset) in [-1, 0, 1].enumerated() {
                try await bench.saveDue(number + 1, at: limit + .nanoseconds(offset))
            }
            let now = try await bench.dueStore.claimDue(before: nil, limit: 10, for: .seconds(600))
            try bench.expect(now.isEmpty, "\(now.count) records of the year 2096 are due now")
            let claimed = try await bench.dueStore.claimDue(before: limit, limit: 10, for: .seconds(600))
            let expected = try [1, 2].map { try bench.key($0) }
            try bench.expect(claimed.map(\.key) == expected, "\(claimed.map(\.key)) are claimed")
        },
        Rule("the header and what is not to be renewed are never due") { bench in
            var header = bench.record(.header, try bench.version(1))
            header.due = WallTime(seconds: 1)
            try await bench.store.save(header, replacing: nil, under: nil)
            try await bench.saveDue(1, at: nil)
            let claimed = try await bench.dueStore.claimDue(before: nil, limit: 10, for: .seconds(600))
            try bench.expect(claimed.isEmpty, "\(claimed.map(\.key)) are claimed")
        },
        Rule("a claim changes no record and bars nobody") { bench in
            let record = try await bench.saveDue(1, at: WallTime(seconds: 5))
            _ = try await bench.dueStore.claimDue(before: nil, limit: 10, for: .seconds(600))
            let loaded = try await bench.stored(record.key)
            try bench.expect(loaded == record, "a claim changed the record")
            let listed = try await bench.store.list(after: nil, limit: 10)
            try bench.expect(listed.map(\.key) == [record.key], "\(listed.map(\.key)) are listed")
            let lease = try await bench.store.lease(record.key, for: .refresh, waiting: .zero)
            await lease.release()
            try await bench.store.purge(record.key, expecting: record.version)
        },
        Rule("claimers at once get different records and leave none") { bench in
            for number in 1...40 { try await bench.saveDue(number, at: WallTime(seconds: Int64(number))) }
            let store = try bench.dueStore
            let claimed = try await withThrowingTaskGroup(of: [RecordKey].self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        var mine: [RecordKey] = []
                        // Whoever has more than there are has some twice.
                        while mine.count <= 40 {
                            let next = try await store.claimDue(before: nil, limit: 3, for: .seconds(600))
                            if next.isEmpty { break }
                            mine += next.map(\.key)
                        }
                        return mine
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            try bench.expect(Set(claimed).count == claimed.count, "a record was claimed twice")
            try bench.expect(claimed.count == 40, "\(claimed.count) of 40 records were claimed")
        },
    ]

    /// How a claim ends.
    private static let claimEnds: [Rule] = [
        Rule("a claim that is given back can be taken again") { bench in
            let record = try await bench.saveDue(1, at: WallTime(seconds: 5))
            try await bench.expectClaim(of: [record.key], "the first claim")
            try await bench.dueStore.unclaim(record.key, expecting: record.version)
            try await bench.expectClaim(of: [record.key], "a claim after one that was given back")
        },
        Rule("giving back a claim on another version or on nothing does nothing") { bench in
            let record = try await bench.saveDue(1, at: WallTime(seconds: 5), revision: 5)
            try await bench.expectClaim(of: [record.key], "the first claim")
            try await bench.dueStore.unclaim(record.key, expecting: try bench.version(4))
            try await bench.dueStore.unclaim(record.key, expecting: try bench.version(5, of: 2))
            try await bench.dueStore.unclaim(try bench.key(2), expecting: record.version)
            try await bench.expectClaim(of: [], "a claim on what is claimed")
            let loaded = try await bench.stored(record.key)
            try bench.expect(loaded == record, "the record changed")
        },
        Rule("a save ends the claim on its record and on no other") { bench in
            let record = try await bench.saveDue(1, at: WallTime(seconds: 5))
            try await bench.saveDue(2, at: WallTime(seconds: 6))
            try await bench.expectClaim(of: [record.key, try bench.key(2)], "the first claim")
            let next = try bench.dueRecord(1, at: WallTime(seconds: 7), revision: 2)
            try await bench.store.save(next, replacing: record.version, under: nil)
            let claimed = try await bench.dueStore.claimDue(before: nil, limit: 10, for: .seconds(600))
            try bench.expect(claimed == [next], "after the save \(claimed.map(\.key)) are claimed")
        },
        Rule("a record that is saved as due no more is claimed no more") { bench in
            let record = try await bench.saveDue(1, at: WallTime(seconds: 5))
            let next = try bench.dueRecord(1, at: nil, revision: 2)
            try await bench.store.save(next, replacing: record.version, under: nil)
            try await bench.expectClaim(of: [], "a claim on what is not due")
        },
        Rule("a claim lapses, not before its time") { bench in
            let record = try await bench.saveDue(1, at: WallTime(seconds: 5))
            let term = Duration.seconds(2)
            let start = ContinuousClock.now
            let first = try await bench.dueStore.claimDue(before: nil, limit: 10, for: term)
            try bench.expect(first.map(\.key) == [record.key], "\(first.map(\.key)) are claimed at first")
            try await bench.promptly("a claim of \(term)") {
                while try await bench.dueStore.claimDue(before: nil, limit: 10, for: term).isEmpty {
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
            let lasted = ContinuousClock.now - start
            try bench.expect(lasted >= term * 0.95, "a claim of \(term) lasted \(lasted)")
        },
    ]
}

extension TokenStoreConformance.Bench {
    /// The store as one with due times.
    var dueStore: any DueTokenStore {
        get throws {
            guard let store = store as? any DueTokenStore else {
                throw ConformanceFailure(rule: rule, detail: "the store is no DueTokenStore")
            }
            return store
        }
    }

    /// A record that is due at a time.
    func dueRecord(
        _ number: Int,
        at due: WallTime?,
        revision: Int64 = 1,
        payload: [UInt8] = [1]
    ) throws -> SealedRecord {
        var record = record(try key(number), try version(revision), payload: payload)
        record.due = due
        return record
    }

    /// Saves a record that is due at a time.
    @discardableResult
    func saveDue(_ number: Int, at due: WallTime?, revision: Int64 = 1) async throws -> SealedRecord {
        let record = try dueRecord(number, at: due, revision: revision)
        try await store.save(record, replacing: nil, under: nil)
        return record
    }

    /// Fails the rule unless a long claim gives these keys.
    func expectClaim(of keys: [RecordKey], _ what: String) async throws {
        let claimed = try await dueStore.claimDue(before: nil, limit: 10, for: .seconds(600)).map(\.key)
        try expect(claimed == keys, "\(what) gave \(claimed)")
    }
}
