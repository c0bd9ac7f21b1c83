internal import AuthKitCore

/// One wait of a `CallbackUserAgent`.
final class CallbackWait: RedirectReceiver {
    private enum Phase {
        case prepared
        case waiting(@Sendable (RedirectAnswer) -> Bool, CheckedContinuation<RedirectAnswer, any Error>)
        /// An answer was accepted and is worked on.
        case taken
        case over
    }

    let redirectURI: String
    private let address: CallbackAddress
    private let open: @Sendable (String) async throws -> Void
    private let phase = Guarded(Phase.prepared)

    init(address: CallbackAddress, open: @escaping @Sendable (String) async throws -> Void) {
        self.address = address
        self.open = open
        redirectURI = address.text
    }

    /// Whether a callback can end it now.
    var isWaiting: Bool {
        phase.withLock { phase in
            if case .waiting = phase { true } else { false }
        }
    }

    /// Whether it is used up.
    var isOver: Bool {
        phase.withLock { phase in
            if case .over = phase { true } else { false }
        }
    }

    var canWaitAgain: Bool { true }

    func present(
        _ url: String,
        accepting: @escaping @Sendable (RedirectAnswer) -> Bool
    ) async throws -> RedirectAnswer {
        try await answer(accepting) { phase in
            if case .prepared = phase { true } else { false }
        } onceWaiting: { [self] in
            // Not waited for, and begun only now: a callback may come as soon as the page is there.
            Task {
                do {
                    try await open(url)
                } catch {
                    end(error)  // A page that cannot be opened brings no callback.
                }
            }
        }
    }

    func waitAgain(
        refusing refusal: String,
        accepting: @escaping @Sendable (RedirectAnswer) -> Bool
    ) async throws -> RedirectAnswer {
        try await answer(accepting) { phase in
            if case .taken = phase { true } else { false }
        } onceWaiting: {
        }
    }

    func finish(_ outcome: SignInOutcome) async {
        end(CancellationError())
    }

    private func answer(
        _ accepting: @escaping @Sendable (RedirectAnswer) -> Bool,
        from isReady: (Phase) -> Bool,
        onceWaiting: () -> Void
    ) async throws -> RedirectAnswer {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isWaiting = phase.withLock { phase in
                    guard isReady(phase), !Task.isCancelled else {
                        phase = .over
                        return false
                    }
                    phase = .waiting(accepting, continuation)
                    return true
                }
                guard isWaiting else { return continuation.resume(throwing: CancellationError()) }
                onceWaiting()
            }
        } onCancel: {
            end(CancellationError())
        }
    }

    /// Whether a URL ends the wait.
    func offer(_ url: String) -> Bool {
        guard let answer = address.answer(in: url),
            case .waiting(let accepting, _) = phase.withLock({ $0 }), accepting(answer)
        else { return false }
        let continuation = leave(for: .taken)
        continuation?.resume(returning: answer)
        return continuation != nil
    }

    private func end(_ error: any Error) {
        leave(for: .over)?.resume(throwing: error)
    }

    /// Ends the wait, if there is one; who waited.
    private func leave(for next: Phase) -> CheckedContinuation<RedirectAnswer, any Error>? {
        phase.withLock { phase in
            defer {
                // What is over stays so.
                if case .over = phase {} else { phase = next }
            }
            if case .waiting(_, let continuation) = phase { return continuation }
            return nil
        }
    }
}
