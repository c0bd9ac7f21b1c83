/// A user agent that remembers whether the person was shown anything.
final class WatchedAgent: UserAgent {
    private let base: any UserAgent
    private let shown = Guarded(false)

    init(_ base: any UserAgent) {
        self.base = base
    }

    /// Whether a page was presented.
    var hasPresented: Bool { shown.withLock { $0 } }

    func prepare(_ redirects: [String]) async throws -> any RedirectReceiver {
        WatchedReceiver(base: try await base.prepare(redirects)) { [self] in shown.withLock { $0 = true } }
    }
}

/// The receiver of a watched agent.
private struct WatchedReceiver: RedirectReceiver {
    let base: any RedirectReceiver
    let willPresent: @Sendable () -> Void

    var redirectURI: String { base.redirectURI }
    var canWaitAgain: Bool { base.canWaitAgain }

    func present(
        _ url: String,
        accepting: @escaping @Sendable (RedirectAnswer) -> Bool
    ) async throws -> RedirectAnswer {
        willPresent()
        return try await base.present(url, accepting: accepting)
    }

    func waitAgain(
        refusing refusal: String,
        accepting: @escaping @Sendable (RedirectAnswer) -> Bool
    ) async throws -> RedirectAnswer {
        try await base.waitAgain(refusing: refusal, accepting: accepting)
    }

    func finish(_ outcome: SignInOutcome) async {
        await base.finish(outcome)
    }
}
