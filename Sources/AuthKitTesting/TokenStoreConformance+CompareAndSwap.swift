internal import AuthKitCore

extension TokenStoreConformance {
    /// A write happens only on top of the version that its writer has seen.
    static let compareAndSwap: [Rule] = [
        Rule("saving anew over a record is a conflict and changes nothing") { bench in
            try await refusesSave(bench, replacing: nil)
        },
        Rule("saving over another revision is a conflict and changes nothing") { bench in
            try await refusesSave(bench, replacing: try bench.version(4))
            try await refusesSave(bench, replacing: try bench.version(6), number: 2)
        },
        Rule("saving over another incarnation is a conflict and changes nothing") { bench in
            try await refusesSave(bench, replacing: try bench.version(5, of: 2))
        },
        Rule("saving over a record that is not there is a conflict and makes none") { bench in
            let key = try bench.key(1)
            try await bench.expect(.conflict, from: "a save over nothing") {
                let record = bench.record(key, try bench.version(2))
                try await bench.store.save(record, replacing: try bench.version(1), under: nil)
            }
            let loaded = try await bench.store.load(key)
            try bench.expect(loaded == nil, "a record was made")
        },
        Rule("saving over the version expected works, also into another incarnation") { bench in
            let key = try bench.key(1)
            var before: RecordVersion?
            for version in [try bench.version(1), try bench.version(2), try bench.version(1, of: 2)] {
                let record = bench.record(key, version, payload: [UInt8(version.revision)])
                try await bench.store.save(record, replacing: before, under: nil)
                let loaded = try await bench.stored(key)
                try bench.expect(loaded == record, "the save over \(String(describing: before)) did not take")
                before = version
            }
        },
        Rule("purging removes the version expected and no other") { bench in
            let record = bench.record(try bench.key(1), try bench.version(5))
            try await bench.store.save(record, replacing: nil, under: nil)
            for wrong in [try bench.version(4), try bench.version(5, of: 2)] {
                try await bench.expect(.conflict, from: "a purge of another version") {
                    try await bench.store.purge(record.key, expecting: wrong)
                }
                let loaded = try await bench.stored(record.key)
                try bench.expect(loaded == record, "a refused purge changed the record")
            }
            try await bench.store.purge(record.key, expecting: record.version)
            let gone = try await bench.store.load(record.key)
            try bench.expect(gone == nil, "a purged record is still there")
            try await bench.expect(.conflict, from: "a second purge") {
                try await bench.store.purge(record.key, expecting: record.version)
            }
            try await bench.store.save(record, replacing: nil, under: nil)
        },
        Rule("a lease does not stand in for the version") { bench in
            let record = bench.record(try bench.key(1), try bench.version(5))
            try await bench.store.save(record, replacing: nil, under: nil)
            let lease = try await bench.store.lease(record.key, for: .refresh, waiting: .zero)
            try await bench.expect(.conflict, from: "a save under a lease over another revision") {
                let next = bench.record(record.key, try bench.version(7))
                try await bench.store.save(next, replacing: try bench.version(6), under: lease)
            }
            let next = bench.record(record.key, try bench.version(6))
            try await bench.store.save(next, replacing: record.version, under: lease)
            await lease.release()
        },
    ]

    /// Saves revision 5 of life 1, then tries to save over `wrong`.
    private static func refusesSave(_ bench: Bench, replacing wrong: RecordVersion?, number: Int = 1) async throws {
        let record = bench.record(try bench.key(number), try bench.version(5))
        try await bench.store.save(record, replacing: nil, under: nil)
        var other = bench.record(record.key, try bench.version(6, of: 3), payload: [66])
        other.metadata = [66]
        other.due = nil
        try await bench.expect(.conflict, from: "the save over \(String(describing: wrong))") {
            try await bench.store.save(other, replacing: wrong, under: nil)
        }
        let loaded = try await bench.stored(record.key)
        try bench.expect(loaded == record, "a refused save changed the record")
    }
}
