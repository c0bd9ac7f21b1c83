import AuthKitCore
import AuthKitTesting
import Foundation
import Testing

@Suite struct LeaseQueueTests {
    private let time = ManualTime()
    private let key = RecordKey.header

    @Test func `a wait ends when its time has passed on the given clock`() async throws {
        let queue = LeaseQueue(time: time)
        let held = try await queue.lease(key, for: .refresh, waiting: .zero)
        async let code = self.code { try await queue.lease(key, for: .refresh, waiting: .seconds(10)) }
        await time.waitForSleepers(1)
        time.advance(by: .seconds(9))
        #expect(time.remainingSleeps == [.seconds(1)])
        time.advance(by: .seconds(1))
        #expect(await code == .busy)
        await held.release()
    }

    @Test func `a lease that is dropped is given back`() async throws {
        let queue = LeaseQueue(time: time)
        _ = try await queue.lease(key, for: .refresh, waiting: .zero)
        let next = try await queue.lease(key, for: .refresh, waiting: .zero)
        await next.release()
    }

    @Test(.timeLimit(.minutes(1)))
    func `a granted wait leaves no sleeper behind`() async throws {
        let queue = LeaseQueue(time: time)
        let held = try await queue.lease(key, for: .refresh, waiting: .zero)
        let waiter = Task { try await queue.lease(key, for: .refresh, waiting: .seconds(10)) }
        await time.waitForSleepers(1)
        await held.release()
        let next = try await waiter.value
        try await next.confirm()
        while !time.remainingSleeps.isEmpty, !Task.isCancelled { await Task.yield() }
        #expect(time.remainingSleeps.isEmpty)
        await next.release()
    }

    /// A clock on which every wait is over at once.
    private struct NoTime: TimeSource {
        let now = ManualTime().now

        func sleep(for duration: Duration) async throws {}
    }

    @Test(.timeLimit(.minutes(1)))
    func `a wait that is over before it has begun ends all the same`() async throws {
        let queue = LeaseQueue(time: NoTime())
        let held = try await queue.lease(key, for: .refresh, waiting: .zero)
        let ends = await withTaskGroup(of: StoreError.Code?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var last: StoreError.Code?
                    for _ in 0..<1000 {
                        last = await code { try await queue.lease(key, for: .refresh, waiting: .nanoseconds(1)) }
                        if last != .busy { break }
                    }
                    return last
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(ends == Array(repeating: .busy, count: 8))
        await held.release()
        try await queue.lease(key, for: .refresh, waiting: .zero).release()
    }

    @Test(.timeLimit(.minutes(1)))
    func `a turn is never lost to a cancellation or an end of the wait`() async throws {
        let queue = LeaseQueue(time: SystemTime())
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    for round in 0..<300 {
                        let wait = Duration.microseconds((number * 37 + round * 13) % 200)
                        let task = Task {
                            guard let lease = try? await queue.lease(key, for: .refresh, waiting: wait) else { return }
                            await lease.release()
                        }
                        if (number + round).isMultiple(of: 2) { task.cancel() }
                        await task.value
                    }
                }
            }
        }
        // A turn that was lost would be held for good.
        try await queue.lease(key, for: .refresh, waiting: .zero).release()
    }

    @Test func `two queues on one lock file exclude each other in one process`() async throws {
        try await withPlace { path in
            let directory = try PrivateDirectory.open(path)
            let first = LeaseQueue(lock: try .open("x.lock", in: directory), time: time)
            let second = LeaseQueue(lock: try .open("x.lock", in: directory), time: time)
            let held = try await first.lease(key, for: .refresh, waiting: .zero)
            #expect(await code { try await second.lease(key, for: .refresh, waiting: .zero) } == .busy)
            let other = try await second.lease(key, for: .signIn, waiting: .zero)
            let waiter = Task { try await second.lease(key, for: .refresh, waiting: .seconds(60)) }
            await time.waitForSleepers(1)
            #expect(time.remainingSleeps.allSatisfy { $0 <= .milliseconds(2) })
            await held.release()
            time.advance(by: .milliseconds(2))
            let next = try await waiter.value
            await next.release()
            await other.release()
        }
    }

    @Test func `polling for a lock of others ends in busy at the bound`() async throws {
        try await withPlace { path in
            let directory = try PrivateDirectory.open(path)
            let first = LeaseQueue(lock: try .open("x.lock", in: directory), time: time)
            let second = LeaseQueue(lock: try .open("x.lock", in: directory), time: time)
            let held = try await first.lease(key, for: .refresh, waiting: .zero)
            let waiter = Task { await self.code { try await second.lease(key, for: .refresh, waiting: .seconds(1)) } }
            let clock = Task { [time] in
                var pauses: [Duration] = []
                while !Task.isCancelled {
                    if let pause = time.remainingSleeps.first {
                        pauses.append(pause)
                        time.advance(by: pause)
                    }
                    await Task.yield()
                }
                return pauses
            }
            #expect(await waiter.value == .busy)
            clock.cancel()
            let pauses = await clock.value
            #expect(pauses.allSatisfy { $0 <= .milliseconds(25) })
            #expect(pauses.reduce(.zero, +) == .seconds(1))
            await held.release()
        }
    }

    @Test func `a lease is lost when its lock file is replaced`() async throws {
        try await withPlace { path in
            let directory = try PrivateDirectory.open(path)
            let queue = LeaseQueue(lock: try .open("x.lock", in: directory), time: time)
            let held = try await queue.lease(key, for: .refresh, waiting: .zero)
            try await held.confirm()
            try FileManager.default.removeItem(atPath: "\(path)/x.lock")
            let confirmed = await code {
                try await held.confirm()
                return held
            }
            #expect(confirmed == .leaseLost)
            await held.release()
            #expect(await code { try await queue.lease(key, for: .refresh, waiting: .zero) } == .inputOutput)
        }
    }

    private func code(_ operation: () async throws -> any StoreLease) async -> StoreError.Code? {
        do {
            _ = try await operation()
            return nil
        } catch {
            return (error as? StoreError)?.code
        }
    }
}
