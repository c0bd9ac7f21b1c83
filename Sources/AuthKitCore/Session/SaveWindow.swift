/// Counts the renewals and sign-ins that must not be cut off: a one-time token is on the wire, its answer not yet saved.
///
/// Whoever ends the process on a signal drains it first, a bounded time. Once draining has begun no new window opens,
/// so that the wait ends.
public final class SaveWindow: Sendable {
    private struct State: Sendable {
        var open = 0
        var isDraining = false
    }

    private let state = Guarded(State())

    /// Makes a window that is idle.
    public init() {}

    /// Whether nothing is on the wire.
    public var isIdle: Bool { state.withLock { $0.open == 0 } }

    /// Lets no new window open and waits until the open ones have closed, so long at most; whether they have.
    ///
    /// Looks every 10 ms: this happens once, at the end of a process.
    public func drain(within limit: Duration, time: any TimeSource = SystemTime()) async -> Bool {
        state.withLock { $0.isDraining = true }
        let deadline = Deadline(limit, from: time.now)
        while !isIdle, !deadline.hasPassed(at: time.now) {
            do {
                try await time.sleep(for: .milliseconds(10))
            } catch {
                return isIdle  // The waiting task itself was cancelled.
            }
        }
        return isIdle
    }

    /// Opens; false when the process is ending: then nothing may be sent.
    func open() -> Bool {
        state.withLock { state in
            guard !state.isDraining else { return false }
            state.open += 1
            return true
        }
    }

    /// Closes what was opened.
    func close() {
        state.withLock { $0.open -= 1 }
    }
}
