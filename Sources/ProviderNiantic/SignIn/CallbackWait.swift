internal import AuthKitCore

/// One wait of a `CallbackUserAgent`.
final class CallbackWait: RedirectReceiver {
    private enum Phase {
        case prepared
        case waiting(@Sendable (RedirectAnswer) -> Bool, CheckedContinuation<RedirectAnswer, any Error>?)
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

    func present(
        _ url: String,
        accepting: @escaping @Sendable (RedirectAnswer) -> Bool
    ) async throws -> RedirectAnswer {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isWaiting = phase.withLock { phase in
                    guard case .prepared = phase, !Task.isCancelled else {
                        phase = .over
                        return false
                    }
                    phase = .waiting(accepting, continuation)
                    return true
                }
                guard isWaiting else { return continuation.resume(throwing: CancellationError()) }
                // Not waited for, and begun only now: a callback may come as soon as the page is there.
                Task { [self] in
                    do {
                        try await open(url)
                    } catch {
                        end(.failure(error))  // A page that cannot be opened brings no callback.
                    }
                }
            }
        } onCancel: {
            end(.failure(CancellationError()))
        }
    }

    func finish(_ outcome: SignInOutcome) async {
        end(.failure(CancellationError()))
    }

    /// Whether a URL ends the wait.
    func offer(_ url: String) -> Bool {
        guard let answer = address.answer(in: url),
            case .waiting(let accepting, _) = phase.withLock({ $0 }), accepting(answer)
        else { return false }
        return end(.success(answer))
    }

    @discardableResult
    private func end(_ result: Result<RedirectAnswer, any Error>) -> Bool {
        let continuation: CheckedContinuation<RedirectAnswer, any Error>? = phase.withLock { phase in
            defer { phase = .over }
            if case .waiting(_, let continuation) = phase { return continuation }
            return nil
        }
        continuation?.resume(with: result)
        return continuation != nil
    }
}
