internal import AuthKitCore

extension TokenStoreConformance {
    /// What is saved is what is loaded.
    static let records: [Rule] = [
        Rule("loading what was never saved gives nil") { bench in
            let absent = try await bench.store.load(bench.key(1))
            try bench.expect(absent == nil, "there is a record")
            let header = try await bench.store.load(.header)
            try bench.expect(header == nil, "there is a header")
        },
        Rule("a saved record is loaded with every column as it was") { bench in
            var saved = bench.record(try bench.key(1), try bench.version(1))
            try await bench.store.save(saved, replacing: nil, under: nil)
            var loaded = try await bench.stored(saved.key)
            try bench.expect(loaded == saved, "\(loaded) came back for \(saved)")

            let before = saved.version
            saved.version = try bench.version(2)
            saved.due = nil
            saved.keyID = [UInt8](repeating: 255, count: 16)
            saved.metadata = []
            try await bench.store.save(saved, replacing: before, under: nil)
            loaded = try await bench.stored(saved.key)
            try bench.expect(loaded == saved, "\(loaded) came back for \(saved)")
        },
        Rule("times long past and far ahead are kept") { bench in
            var record = bench.record(try bench.key(1), try bench.version(1))
            var before: RecordVersion?
            for (revision, seconds) in [-1, 0, 4_102_444_800, 1_000_000_000_000_000].enumerated() {
                record.version = try bench.version(Int64(revision + 1))
                record.due = WallTime(sinceEpoch: .seconds(seconds) - .nanoseconds(1))
                try await bench.store.save(record, replacing: before, under: nil)
                before = record.version
                let loaded = try await bench.stored(record.key)
                try bench.expect(loaded.due == record.due, "\(record.due as Any) became \(loaded.due as Any)")
            }
        },
        Rule("payloads of no byte and of a mebibyte are kept byte for byte") { bench in
            let large = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
            for (number, payload) in [[], [0], large].enumerated() {
                let record = bench.record(try bench.key(number), try bench.version(1), payload: payload)
                try await bench.store.save(record, replacing: nil, under: nil)
                let loaded = try await bench.stored(record.key)
                try bench.expect(loaded.payload == payload, "a payload of \(payload.count) bytes changed")
            }
        },
        Rule("a record shrinks and grows without a trace of its former self") { bench in
            let key = try bench.key(1)
            var before: RecordVersion?
            for (index, count) in [100_000, 10, 200_000, 0, 5000].enumerated() {
                let version = try bench.version(Int64(index + 1))
                let payload = [UInt8](repeating: UInt8(index + 1), count: count)
                try await bench.store.save(bench.record(key, version, payload: payload), replacing: before, under: nil)
                before = version
                let loaded = try await bench.stored(key)
                try bench.expect(loaded.payload == payload, "a payload of \(count) bytes changed")
            }
        },
        Rule("records do not touch each other") { bench in
            let first = bench.record(try bench.key(1), try bench.version(1), payload: [1])
            let second = bench.record(try bench.key(2), try bench.version(1, of: 2), payload: [2])
            try await bench.store.save(first, replacing: nil, under: nil)
            try await bench.store.save(second, replacing: nil, under: nil)
            try await bench.store.purge(second.key, expecting: second.version)
            let loaded = try await bench.stored(first.key)
            try bench.expect(loaded == first, "a record changed with another")
        },
        Rule("the header is a record like any other") { bench in
            let header = bench.record(.header, try bench.version(1))
            try await bench.store.save(header, replacing: nil, under: nil)
            let loaded = try await bench.stored(.header)
            try bench.expect(loaded == header, "the header changed")
        },
        Rule("the reserve is taken and is not part of the record") { bench in
            let record = bench.record(try bench.key(1), try bench.version(1), reserve: 65_536)
            try await bench.store.save(record, replacing: nil, under: nil)
            let loaded = try await bench.stored(record.key)
            try bench.expect(loaded.reserve == 0, "a reserve of \(loaded.reserve) came back")
            let next = bench.record(record.key, try bench.version(2), payload: [UInt8](repeating: 7, count: 65_539))
            try await bench.store.save(next, replacing: record.version, under: nil)
            let larger = try await bench.stored(record.key)
            try bench.expect(larger.payload == next.payload, "the record that the room was for changed")
        },
        Rule("a probe works and touches no record") { bench in
            let record = bench.record(try bench.key(1), try bench.version(1))
            try await bench.store.save(record, replacing: nil, under: nil)
            try await bench.store.probe()
            try await bench.store.probe()
            let listed = try await bench.store.list(after: nil, limit: 10)
            try bench.expect(listed.map(\.key) == [record.key], "a probe shows up among the records")
            let header = try await bench.store.load(.header)
            try bench.expect(header == nil, "a probe made a header")
            let loaded = try await bench.stored(record.key)
            try bench.expect(loaded == record, "a probe changed a record")
        },
    ]
}
