import AuthKitCore

/// Holds tasks until it is opened; tells when one has arrived.
final class Latch: Sendable {
    private struct State {
        var isOpen = false
        var arrived = 0
        var held: [CheckedContinuation<Void, Never>] = []
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Guarded(State())

    /// Waits here until the latch is open.
    func pass() async {
        await withCheckedContinuation { continuation in
            let (passes, watchers) = state.withLock { state in
                state.arrived += 1
                let watchers = state.watchers
                state.watchers = []
                if !state.isOpen { state.held.append(continuation) }
                return (state.isOpen, watchers)
            }
            for watcher in watchers { watcher.resume() }
            if passes { continuation.resume() }
        }
    }

    /// Waits until somebody has come to the latch.
    func someoneArrived() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.arrived == 0 { state.watchers.append(continuation) }
                return state.arrived > 0
            }
            if isThere { continuation.resume() }
        }
    }

    /// Lets everybody through, now and later.
    func open() {
        let held = state.withLock { state in
            state.isOpen = true
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }
}
