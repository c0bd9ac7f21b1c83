import AuthKitCore

/// A person at a browser: brings each URL to the issuer and the answer back at once.
final class ScriptedAgent: UserAgent, RedirectReceiver {
    struct State {
        var redirects: [String] = []
        var urls: [String] = []
        var outcomes: [SignInOutcome] = []
        var refused = 0
    }

    let redirectURI = "http://127.0.0.1:49152/callback"
    private let state = Guarded(State())
    private let answer: @Sendable (String) async throws -> [RedirectAnswer]

    /// Answers by the issuer.
    convenience init(_ issuer: ScriptedIssuer) {
        self.init { [issuer.authorize($0)] }
    }

    /// Gives answers one after the other until one is accepted.
    init(answers: @escaping @Sendable (String) async throws -> [RedirectAnswer]) {
        answer = answers
    }

    var urls: [String] { state.withLock { $0.urls } }
    var outcomes: [SignInOutcome] { state.withLock { $0.outcomes } }
    var refused: Int { state.withLock { $0.refused } }

    func prepare(_ redirects: [String]) async throws -> any RedirectReceiver {
        state.withLock { $0.redirects = redirects }
        return self
    }

    func present(
        _ url: String,
        accepting: @escaping @Sendable (RedirectAnswer) -> Bool
    ) async throws -> RedirectAnswer {
        state.withLock { $0.urls.append(url) }
        for answer in try await answer(url) {
            if accepting(answer) { return answer }
            state.withLock { $0.refused += 1 }
        }
        // Like a real receiver, waits on until it is cancelled.
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        await withTaskCancellationHandler {
            for await _ in stream {}
        } onCancel: {
            continuation.finish()
        }
        throw CancellationError()
    }

    func finish(_ outcome: SignInOutcome) async {
        state.withLock { $0.outcomes.append(outcome) }
    }
}
