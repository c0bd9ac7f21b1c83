internal import AuthKitCore

/// Waits at a rendezvous for the answer to one private-use redirect URI.
final class SchemeReceiver: RedirectReceiver {
    private let rendezvous: Rendezvous
    let redirectURI: String
    private let reading: AnswerReading
    private let announce: @Sendable (String) throws -> Void
    private let browse: @Sendable (String) async -> Void
    private let time: any TimeSource
    /// Turns callbacks away while an answer is tried for long, such as while a person is asked.
    private let doorkeeper = Guarded<Task<Void, Never>?>(nil)

    /// How long a callback waits while another answer is tried: less than it waits for a verdict (`Rendezvous.offer`).
    private static let holding = Duration.seconds(5)

    /// Makes a receiver over a rendezvous that is open already.
    init(
        rendezvous: Rendezvous,
        redirectURI: String,
        reading: AnswerReading = .usual,
        time: any TimeSource = SystemTime(),
        announce: @escaping @Sendable (String) throws -> Void,
        browse: @escaping @Sendable (String) async -> Void
    ) {
        self.time = time
        self.rendezvous = rendezvous
        self.redirectURI = redirectURI
        self.reading = reading
        self.announce = announce
        self.browse = browse
    }

    var canWaitAgain: Bool { true }

    func present(
        _ url: String,
        accepting: @escaping @Sendable (RedirectAnswer) -> Bool
    ) async throws -> RedirectAnswer {
        try announce(url)
        await browse(url)
        return try await answer(accepting)
    }

    /// Waits at the same place; a callback that has come in the last seconds is heard now.
    func waitAgain(
        refusing refusal: String,
        accepting: @escaping @Sendable (RedirectAnswer) -> Bool
    ) async throws -> RedirectAnswer {
        let task = dismissedDoorkeeper()
        await task?.value
        return try await answer(accepting)
    }

    private func answer(_ accepting: @escaping @Sendable (RedirectAnswer) -> Bool) async throws -> RedirectAnswer {
        let (redirectURI, reading) = (redirectURI, reading)
        let accepted = try await rendezvous.wait { text in
            guard let answer = reading.answer(in: text, to: redirectURI) else { return .refused }
            return accepting(answer) ? .accepted : .refused
        }
        guard let answer = reading.answer(in: accepted, to: redirectURI) else {
            throw CommandFailure(.software, "internal", "An accepted answer could not be read again; report this.")
        }
        doorkeeper.withLock { doorkeeper in
            doorkeeper = Task { [rendezvous, time] in
                do {
                    try await time.sleep(for: Self.holding)
                    _ = try await rendezvous.wait { text in
                        // Where there is no state, nothing tells whose it is: it is not offered to another login.
                        reading == .exact && reading.answer(in: text, to: redirectURI) != nil ? .busy : .refused
                    }
                } catch {}  // Accepts nothing, so that cancellation alone ends it.
            }
        }
        return answer
    }

    private func dismissedDoorkeeper() -> Task<Void, Never>? {
        let task = doorkeeper.withLock { doorkeeper in
            defer { doorkeeper = nil }
            return doorkeeper
        }
        task?.cancel()
        return task
    }

    func finish(_ outcome: SignInOutcome) async {
        rendezvous.close()
        _ = dismissedDoorkeeper()
    }
}
