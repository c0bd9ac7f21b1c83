import AuthKitCore
import AuthKitTesting

/// Moves the clock on by hand for what waits by it.
enum ClockWalk {
    /// Walks in steps of half the loop's grid until so much time has passed; then the clock stands.
    static func steps(_ time: ManualTime, for length: Duration) async {
        let began = time.now
        while time.now.since(began) < length {
            await time.waitForSleepers(1)
            time.advance(by: .seconds(5))
            for _ in 0..<50 { await Task.yield() }
        }
    }

    /// Wakes whoever sleeps, the shortest sleep first, until a call has returned.
    static func waking<Value>(_ time: ManualTime, _ call: () async throws -> Value) async throws -> Value {
        let pump = Task {
            while !Task.isCancelled {
                await time.waitForSleepers(1)
                if Task.isCancelled { return }
                if let next = time.remainingSleeps.min() { time.advance(by: next) }
                await Task.yield()
            }
        }
        defer { pump.cancel() }
        return try await call()
    }
}
