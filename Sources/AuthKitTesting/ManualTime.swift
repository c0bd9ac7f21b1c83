public import AuthKitCore

/// A clock that stands still until a test moves it.
///
/// Both clocks start at a fixed point and move by `advance(by:)` only. Sleepers wake in order of their due times.
public final class ManualTime: TimeSource {
    private struct Sleeper {
        /// On the count of time that has passed in all, which neither wall steps nor reboots change.
        let due: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watcher {
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var moment: Moment
        var passed: Duration = .zero
        var boots = 1
        var nextTicket = 0
        var sleepers: [Int: Sleeper] = [:]
        var watchers: [Int: Watcher] = [:]

        mutating func ticket() -> Int {
            nextTicket += 1
            return nextTicket
        }

        /// Takes out the watchers that now have as many sleepers as they wait for.
        mutating func satisfiedWatchers() -> [Watcher] {
            let satisfied = watchers.filter { $0.value.count <= sleepers.count }
            for ticket in satisfied.keys { watchers[ticket] = nil }
            return Array(satisfied.values)
        }
    }

    private let state: Guarded<State>

    /// Starts the wall clock at a point, by default 2027-01-15T08:00:00Z, an hour after boot.
    public init(wall: WallTime = WallTime(seconds: 1_800_000_000), sinceBoot: Duration = .seconds(3600)) {
        state = Guarded(State(moment: Moment(wall: wall, sinceBoot: sinceBoot, boot: "boot-1")))
    }

    /// Reads the clocks as they were last set.
    public var now: Moment { state.withLock { $0.moment } }

    /// What each sleeper still has to wait, shortest first.
    public var remainingSleeps: [Duration] {
        state.withLock { state in state.sleepers.values.map { $0.due - state.passed }.sorted() }
    }

    /// Waits until the clock has been advanced so far.
    ///
    /// Throws `CancellationError` at once when the task is cancelled.
    public func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        guard duration > .zero else { return await Task.yield() }
        let ticket = state.withLock { $0.ticket() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let watchers: [Watcher]? = state.withLock { state in
                    // The flag is set before handlers run: whoever is not seen here is found by the handler below.
                    guard !Task.isCancelled else { return nil }
                    state.sleepers[ticket] = Sleeper(due: state.passed + duration, continuation: continuation)
                    return state.satisfiedWatchers()
                }
                guard let watchers else { return continuation.resume(throwing: CancellationError()) }
                for watcher in watchers { watcher.continuation.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: ticket) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Moves both clocks and wakes the sleepers that are due, earliest first.
    public func advance(by duration: Duration) {
        precondition(duration >= .zero, "time does not run backwards; stepWall(by:) steps the wall clock")
        let due = state.withLock { state in
            state.moment.wall = state.moment.wall + duration
            state.moment.sinceBoot += duration
            state.passed += duration
            let due = state.sleepers.filter { $0.value.due <= state.passed }
            for ticket in due.keys { state.sleepers[ticket] = nil }
            return due.sorted { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
        }
        for (_, sleeper) in due { sleeper.continuation.resume() }
    }

    /// Steps the wall clock only, forwards or backwards, as an administrator or a time server does.
    public func stepWall(by duration: Duration) {
        state.withLock { $0.moment.wall = $0.moment.wall + duration }
    }

    /// Starts a new boot: the boot clock begins at zero under another identifier.
    ///
    /// The wall clock stays, and sleepers go on waiting for time to pass.
    public func reboot() {
        state.withLock { state in
            state.boots += 1
            state.moment.sinceBoot = .zero
            state.moment.boot = "boot-\(state.boots)"
        }
    }

    /// Waits until so many tasks sleep here; returns early when the task is cancelled.
    public func waitForSleepers(_ count: Int) async {
        let ticket = state.withLock { $0.ticket() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard state.sleepers.count < count, !Task.isCancelled else { return false }
                    state.watchers[ticket] = Watcher(count: count, continuation: continuation)
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            let watcher = state.withLock { $0.watchers.removeValue(forKey: ticket) }
            watcher?.continuation.resume()
        }
    }
}
