import AuthKitTesting
import Foundation
import Testing

@testable import AuthKitCore

/// What falls between two looks of a waiter at its line.
@Suite struct LeaseRaceTests {
    private let key = RecordKey.header

    private final class Counter: Sendable {
        private let value = Guarded(0)
        var count: Int { value.withLock { $0 } }
        func add() { value.withLock { $0 += 1 } }
    }

    @Test func `a lease that is given back before the waiter stands in line is not waited for`() async throws {
        let queue = LeaseQueue(time: SystemTime())
        let ended = Counter()
        let tasks = 2
        for number in 0..<tasks {
            // Not of a group: a waiter that is lost would hold the test as well.
            Task { [key] in
                // The same each time: a step of a multiplicative generator modulo a prime.
                var pause = number + 1
                for _ in 0..<20_000 {
                    await (try queue.lease(key, for: .refresh, waiting: .seconds(60))).release()
                    // Else they hand the lease to each other and it is never free.
                    pause = pause * 48_271 % 2_147_483_647
                    for _ in 0..<pause % 300 { _ = ended.count }
                }
                ended.add()
            }
        }
        // A waiter that is lost ends with an error and is never counted, however busy the machine is.
        let limit = ContinuousClock.now + .seconds(90)
        while ended.count < tasks, ContinuousClock.now < limit {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(ended.count == tasks)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a cancellation before the waiter stands in line ends the wait all the same`() async throws {
        let time = ManualTime()
        let queue = LeaseQueue(time: time)
        let held = try await queue.lease(key, for: .refresh, waiting: .zero)
        var tasks: [Task<Bool, Never>] = []
        for round in 0..<5000 {
            let begun = Counter()
            let task = Task { [key] in
                begun.add()
                do {
                    await (try queue.lease(key, for: .refresh, waiting: .seconds(3600))).release()
                    return false
                } catch {
                    return error is CancellationError
                }
            }
            while begun.count == 0 { await Task.yield() }
            for _ in 0..<(round % 50) { _ = begun.count }  // Another moment each round.
            task.cancel()
            tasks.append(task)
        }
        // Whoever still waits was not found by its cancellation; only the end of its time sets it free.
        let pump = Task {
            while !Task.isCancelled {
                await Task.yield()
                time.advance(by: .seconds(3600))
            }
        }
        var cancelled = 0
        for task in tasks where await task.value { cancelled += 1 }
        pump.cancel()
        #expect(cancelled == tasks.count)
        await held.release()
    }

    @Test func `a lease is lost when another file stands in the place of its lock file`() async throws {
        try await withPlace { path in
            let queue = LeaseQueue(lock: try .open("x.lock", in: try PrivateDirectory.open(path)), time: ManualTime())
            let held = try await queue.lease(key, for: .refresh, waiting: .zero)
            try await held.confirm()
            // Made before the old one goes, so that it is another file for certain.
            let other = SecretBytes(copying: [])
            #expect(try SecretFile.create("\(path)/y.lock", contents: other))
            try #require(unsafe rename("\(path)/y.lock", "\(path)/x.lock") == 0)
            await #expect { try await held.confirm() } throws: { ($0 as? StoreError)?.code == .leaseLost }
            await held.release()
        }
    }
}
