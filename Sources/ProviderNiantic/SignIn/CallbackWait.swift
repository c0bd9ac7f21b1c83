internal import AuthKitCore

/// One wait of a `CallbackUserAgent`.
final class CallbackWait: RedirectReceiver {
    private enum Phase {
        case prepared
        case waiting(@Sendable (RedirectAnswer) -> Bool, CheckedContinuation<RedirectAnswer, any Error>)
        /// An answer was accepted and is worked on; the failure is why the page could not be opened, where it could not.
        case taken(failure: (any Error)?)
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
        try await answer(accepting) { phase throws in
            guard case .prepared = phase else { throw CancellationError() }
        } onceWaiting: { [self] in
            // Not waited for, and begun only now: a callback may come as soon as the page is there.
            Task {
                do {
                    try await open(url)
                } catch {
                    fail(error)  // A page that cannot be opened brings no callback.
                }
            }
        }
    }

    func waitAgain(
        refusing refusal: String,
        accepting: @escaping @Sendable (RedirectAnswer) -> Bool
    ) async throws -> RedirectAnswer {
        try await answer(accepting) { phase throws in
            guard case .taken(let failure) = phase else { throw CancellationError() }
            if let failure { throw failure }
        } onceWaiting: {
        }
    }

    func finish(_ outcome: SignInOutcome) async {
        end(CancellationError())
    }

    private func answer(
        _ accepting: @escaping @Sendable (RedirectAnswer) -> Bool,
        checking check: (Phase) throws -> Void,
        onceWaiting: () -> Void
    ) async throws -> RedirectAnswer {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                do {
                    try phase.withLock { phase in
                        do {
                            try check(phase)
                            try Task.checkCancellation()
                            phase = .waiting(accepting, continuation)
                        } catch {
                            phase = .over
                            throw error
                        }
                    }
                } catch {
                    return continuation.resume(throwing: error)
                }
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
        let continuation = leave(for: .taken(failure: nil))
        continuation?.resume(returning: answer)
        return continuation != nil
    }

    /// Ends the wait for a page that could not be opened; after what is worked on now, where a callback came all the same.
    private func fail(_ error: any Error) {
        let continuation: CheckedContinuation<RedirectAnswer, any Error>? = phase.withLock { phase in
            switch phase {
            case .waiting(_, let continuation):
                phase = .over
                return continuation
            case .taken: phase = .taken(failure: error)
            case .prepared, .over: break
            }
            return nil
        }
        continuation?.resume(throwing: error)
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
