internal import AuthKitCore

extension TokenStoreConformance {
    /// One holder at a time for each key and purpose.
    static let leases: [Rule] = [
        Rule("a lease that is held is refused to others at once when they do not wait") { bench in
            let key = try bench.key(1)
            for purpose in LeasePurpose.allCases {
                let lease = try await bench.store.lease(key, for: purpose, waiting: .zero)
                try await bench.promptly("a lease without a wait") {
                    try await bench.expect(.busy, from: "a second lease") {
                        _ = try await bench.store.lease(key, for: purpose, waiting: .zero)
                    }
                }
                await lease.release()
            }
        },
        Rule("leases of other keys and other purposes are independent") { bench in
            var held: [any StoreLease] = []
            for key in [RecordKey.header, try bench.key(1), try bench.key(2)] {
                for purpose in LeasePurpose.allCases {
                    held.append(try await bench.store.lease(key, for: purpose, waiting: .zero))
                }
            }
            for lease in held {
                try await lease.confirm()
                await lease.release()
            }
        },
        Rule("a released lease can be taken again") { bench in
            let key = try bench.key(1)
            for _ in 0..<5 {
                let lease = try await bench.store.lease(key, for: .refresh, waiting: .zero)
                try await lease.confirm()
                try await lease.extend()
                await lease.release()
            }
        },
        Rule("a released lease is confirmed and extended no more") { bench in
            let lease = try await bench.store.lease(try bench.key(1), for: .refresh, waiting: .zero)
            await lease.release()
            try await bench.expect(.leaseLost, from: "confirming a released lease") { try await lease.confirm() }
            try await bench.expect(.leaseLost, from: "extending a released lease") { try await lease.extend() }
        },
        Rule("a save under a lease that was given back is refused where leases have numbers") { bench in
            let record = bench.record(try bench.key(1), try bench.version(1))
            let lease = try await bench.store.lease(record.key, for: .refresh, waiting: .zero)
            await lease.release()
            // Without a number the version alone decides.
            guard lease.fencingNumber != nil else { return }
            try await bench.expect(.leaseLost, from: "a save under a lease that was given back") {
                try await bench.store.save(record, replacing: nil, under: lease)
            }
            let next = try await bench.store.lease(record.key, for: .refresh, waiting: .zero)
            try await bench.expect(.leaseLost, from: "a save under the lease of a former holder") {
                try await bench.store.save(record, replacing: nil, under: lease)
            }
            let loaded = try await bench.store.load(record.key)
            try bench.expect(loaded == nil, "a save that was refused made a record")
            try await bench.store.save(record, replacing: nil, under: next)
            await next.release()
        },
        Rule("releasing twice does not release the next holder's lease") { bench in
            let key = try bench.key(1)
            let first = try await bench.store.lease(key, for: .refresh, waiting: .zero)
            await first.release()
            await first.release()
            let second = try await bench.store.lease(key, for: .refresh, waiting: .zero)
            await first.release()
            try await second.confirm()
            try await bench.expect(.busy, from: "a lease that the second holder has") {
                _ = try await bench.store.lease(key, for: .refresh, waiting: .zero)
            }
            await second.release()
        },
        Rule("a lease needs no record and makes none") { bench in
            let key = try bench.key(1)
            let lease = try await bench.store.lease(key, for: .signIn, waiting: .zero)
            await lease.release()
            let loaded = try await bench.store.load(key)
            try bench.expect(loaded == nil, "a lease made a record")
            let listed = try await bench.store.list(after: nil, limit: 10)
            try bench.expect(listed.isEmpty, "a lease shows up among the records")
        },
        Rule("a lease does not bar saves without it") { bench in
            let record = bench.record(try bench.key(1), try bench.version(1))
            let lease = try await bench.store.lease(record.key, for: .refresh, waiting: .zero)
            try await bench.store.save(record, replacing: nil, under: nil)
            await lease.release()
        },
    ]
}
