internal import AuthKitCore

extension TokenStoreConformance {
    /// Records are listed by key, in pages, without what only a load may give.
    static let listing: [Rule] = [
        Rule("an empty store lists nothing") { bench in
            let listed = try await bench.store.list(after: nil, limit: 10)
            try bench.expect(listed.isEmpty, "\(listed.count) records are listed")
        },
        Rule("a list is ordered by key, has no payloads and all else") { bench in
            for number in [300, 2, 255, 1, 256] {
                let record = bench.record(try bench.key(number), try bench.version(Int64(number)))
                try await bench.store.save(record, replacing: nil, under: nil)
            }
            let listed = try await bench.store.list(after: nil, limit: 10)
            let expected = try [1, 2, 255, 256, 300].map { number in
                bench.record(try bench.key(number), try bench.version(Int64(number)), payload: [])
            }
            try bench.expect(listed.map(\.key) == expected.map(\.key), "the keys are \(listed.map(\.key))")
            try bench.expect(listed.allSatisfy { $0.payload.isEmpty }, "there are payloads in the list")
            try bench.expect(listed == expected, "the records differ from those saved")
        },
        Rule("the header is not listed") { bench in
            try await bench.store.save(bench.record(.header, try bench.version(1)), replacing: nil, under: nil)
            let record = bench.record(try bench.key(1), try bench.version(1))
            try await bench.store.save(record, replacing: nil, under: nil)
            for start in [nil, RecordKey.header] {
                let listed = try await bench.store.list(after: start, limit: 10)
                try bench.expect(listed.map(\.key) == [record.key], "\(listed.map(\.key)) are listed")
            }
        },
        Rule("pages join without gap or repeat") { bench in
            let keys = try (1...25).map { try bench.key($0) }
            for key in keys.shuffled() {
                try await bench.store.save(bench.record(key, try bench.version(1)), replacing: nil, under: nil)
            }
            for size in [1, 7, 25, 100] {
                var found: [RecordKey] = []
                var last: RecordKey?
                repeat {
                    let page = try await bench.store.list(after: last, limit: size)
                    try bench.expect(page.count <= size, "a page of \(size) has \(page.count) records")
                    try bench.expect(found.count + page.count <= keys.count, "pages of \(size) repeat records")
                    found += page.map(\.key)
                    last = page.last?.key
                } while last != nil
                try bench.expect(found == keys, "pages of \(size) give \(found.count) records of \(keys.count)")
            }
            let none = try await bench.store.list(after: nil, limit: 0)
            try bench.expect(none.isEmpty, "a page of none has records")
        },
        Rule("a page begins behind a key that has no record") { bench in
            for number in [1, 5, 9] {
                try await bench.store.save(
                    bench.record(try bench.key(number), try bench.version(1)),
                    replacing: nil,
                    under: nil
                )
            }
            let listed = try await bench.store.list(after: try bench.key(3), limit: 10)
            let expected = try [5, 9].map { try bench.key($0) }
            try bench.expect(listed.map(\.key) == expected, "\(listed.map(\.key)) are listed")
        },
    ]
}
