internal import AuthKitCore

/// Waits at a rendezvous for the answer to one private-use redirect URI.
struct SchemeReceiver: RedirectReceiver {
    private let rendezvous: Rendezvous
    let redirectURI: String
    private let reading: AnswerReading
    private let announce: @Sendable (String) throws -> Void
    private let browse: @Sendable (String) async -> Void

    /// Makes a receiver over a rendezvous that is open already.
    init(
        rendezvous: Rendezvous,
        redirectURI: String,
        reading: AnswerReading = .usual,
        announce: @escaping @Sendable (String) throws -> Void,
        browse: @escaping @Sendable (String) async -> Void
    ) {
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

    /// Waits at the same place; a `callback` that came meanwhile is still there and is heard now.
    func waitAgain(
        refusing refusal: String,
        accepting: @escaping @Sendable (RedirectAnswer) -> Bool
    ) async throws -> RedirectAnswer {
        try await answer(accepting)
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
        return answer
    }

    func finish(_ outcome: SignInOutcome) async {
        rendezvous.close()
    }
}
