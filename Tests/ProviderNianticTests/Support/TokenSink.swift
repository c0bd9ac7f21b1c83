import AuthKitCore
import ProviderNiantic

/// A consumer that keeps what it was given; an empty token is told as `cleared`.
final class TokenSink: AccessTokenConsumer {
    private struct State {
        var given: [String] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Guarded(State())

    /// The names of what came, in order.
    var given: [String] { state.withLock { $0.given } }

    func setAccessToken(_ token: Secret) {
        let name = token.isEmpty ? "cleared" : SampleToken.name(of: token.reveal()) ?? "opaque"
        let ready = state.withLock { state in
            state.given.append(name)
            let ready = state.watchers.filter { $0.count <= state.given.count }
            state.watchers.removeAll { $0.count <= state.given.count }
            return ready.map(\.continuation)
        }
        for watcher in ready { watcher.resume() }
    }

    /// Waits until so many came.
    func wait(for count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.given.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}
