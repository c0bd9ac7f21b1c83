internal import AuthKitCore

extension TokenStoreConformance {
    /// Waiting for a lease is bounded, in order, ended by cancellation, and holds up nothing else.
    static let leaseWaits: [Rule] = [
        Rule("a wait that is over ends in busy, not before its time") { bench in
            let key = try bench.key(1)
            let lease = try await bench.store.lease(key, for: .refresh, waiting: .zero)
            let start = ContinuousClock.now
            try await bench.promptly("a wait of 100 ms") {
                try await bench.expect(.busy, from: "a wait that is over") {
                    _ = try await bench.store.lease(key, for: .refresh, waiting: .milliseconds(100))
                }
            }
            let waited = ContinuousClock.now - start
            try bench.expect(waited >= .milliseconds(90), "the wait of 100 ms took \(waited)")
            await lease.release()
        },
        Rule("a waiter gets the lease when it is released") { bench in
            let key = try bench.key(1)
            let lease = try await bench.store.lease(key, for: .refresh, waiting: .zero)
            let waiter = Task.immediate { try await bench.store.lease(key, for: .refresh, waiting: .seconds(300)) }
            try await bench.settle()
            await lease.release()
            let next = try await bench.promptly("the waiter") { try await waiter.value }
            try await next.confirm()
            try await bench.expect(.busy, from: "a lease that the waiter got") {
                _ = try await bench.store.lease(key, for: .refresh, waiting: .zero)
            }
            await next.release()
        },
        Rule("a cancelled waiter returns at once and takes nothing") { bench in
            let key = try bench.key(1)
            let lease = try await bench.store.lease(key, for: .refresh, waiting: .zero)
            let waiter = Task.immediate {
                do {
                    _ = try await bench.store.lease(key, for: .refresh, waiting: .seconds(300))
                    return "a lease"
                } catch is CancellationError {
                    return "cancellation"
                } catch {
                    return "\(error)"
                }
            }
            try await bench.settle()
            waiter.cancel()
            let outcome = try await bench.promptly("a cancelled waiter") { await waiter.value }
            try bench.expect(outcome == "cancellation", "it ended in \(outcome)")
            try await lease.confirm()
            await lease.release()
            let next = try await bench.store.lease(key, for: .refresh, waiting: .seconds(20))
            await next.release()
        },
        Rule("a task that is cancelled already gets no lease") { bench in
            let key = try bench.key(1)
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                do {
                    _ = try await bench.store.lease(key, for: .refresh, waiting: .seconds(300))
                    return false
                } catch is CancellationError {
                    return true
                } catch {
                    return false
                }
            }
            task.cancel()
            let wasCancelled = try await bench.promptly("a cancelled task") { await task.value }
            try bench.expect(wasCancelled, "it did not end in cancellation")
            let lease = try await bench.store.lease(key, for: .refresh, waiting: .zero)
            await lease.release()
        },
        Rule("waiters of one process are served in order of arrival") { bench in
            let key = try bench.key(1)
            let lease = try await bench.store.lease(key, for: .refresh, waiting: .zero)
            let served = ServedOrder()
            var waiters: [Task<Void, any Error>] = []
            for number in 1...5 {
                waiters.append(
                    Task.immediate {
                        let mine = try await bench.store.lease(key, for: .refresh, waiting: .seconds(300))
                        served.append(number)
                        await mine.release()
                    }
                )
                try await bench.settle()
            }
            await lease.release()
            for waiter in waiters { try await bench.promptly("a waiter") { try await waiter.value } }
            try bench.expect(served.numbers == [1, 2, 3, 4, 5], "the order was \(served.numbers)")
        },
        Rule("waiting for a lease holds up no other call") { bench in
            let record = bench.record(try bench.key(1), try bench.version(1))
            let lease = try await bench.store.lease(record.key, for: .refresh, waiting: .zero)
            let waiters = (0..<8).map { _ in
                Task.immediate {
                    _ = try await bench.store.lease(record.key, for: .refresh, waiting: .seconds(300))
                }
            }
            try await bench.settle()
            try await bench.promptly("a save, a load, a list, a probe and other leases beside waiters") {
                try await bench.store.save(record, replacing: nil, under: lease)
                _ = try await bench.stored(record.key)
                _ = try await bench.store.list(after: nil, limit: 1)
                try await bench.store.probe()
                let other = try await bench.store.lease(record.key, for: .signIn, waiting: .seconds(20))
                await other.release()
            }
            for waiter in waiters { waiter.cancel() }
            await lease.release()
        },
    ]

    /// Who was served, in order.
    private final class ServedOrder: Sendable {
        private let kept = Guarded<[Int]>([])

        var numbers: [Int] { kept.withLock { $0 } }

        func append(_ number: Int) { kept.withLock { $0.append(number) } }
    }
}
