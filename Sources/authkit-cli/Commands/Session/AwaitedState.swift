internal import AuthKitCore

/// The `state` that a browser must bring back from sign-out; known only after the port that waits for it.
final class AwaitedState: Sendable {
    private let awaited = Guarded<Secret?>(nil)

    /// Names it, before the browser is sent off; nil where the request carries none.
    func expect(_ state: Secret?) {
        awaited.withLock { $0 = state }
    }

    /// Whether an answer carries it: OpenID Connect RP-Initiated Logout §3.
    func accepts(_ answer: RedirectAnswer) -> Bool {
        guard let awaited = awaited.withLock({ $0 }) else { return true }
        return answer.single("state").map { Secret($0) } == awaited
    }
}
