internal import AuthKitCore
internal import LoopbackHTTP

/// Takes one URL from standard input; a wrong one ends the sign-in.
struct PasteReceiver: RedirectReceiver {
    private let input: any LineInput
    private let place: PastePlace
    private let reading: AnswerReading
    private let announce: @Sendable (String) throws -> Void

    /// Makes a receiver at a place that is held already, so that nobody else listens for the answer.
    init(
        input: any LineInput,
        place: PastePlace,
        reading: AnswerReading = .usual,
        announce: @escaping @Sendable (String) throws -> Void
    ) {
        self.input = input
        self.place = place
        self.reading = reading
        self.announce = announce
    }

    var redirectURI: String { place.redirectURI }

    func present(
        _ url: String,
        accepting: @escaping @Sendable (RedirectAnswer) -> Bool
    ) async throws -> RedirectAnswer {
        try announce(url)
        let line = try await input.line(limit: Rendezvous.limit).trimmingSpaces()
        guard CallbackURL(line)?.answer != nil else {
            throw CommandFailure(
                .badData,
                "malformed",
                "What came on standard input is no URL; sign in again and paste the whole final address.",
                remedy: .signInAgain
            )
        }
        guard let answer = reading.answer(in: line, to: redirectURI), accepting(answer) else {
            throw CommandFailure(
                .protocolViolation,
                "wrong_callback",
                "The URL on standard input does not belong to this sign-in; sign in again and paste its final address.",
                remedy: .signInAgain
            )
        }
        return answer
    }

    func finish(_ outcome: SignInOutcome) async {
        await place.close()
    }
}
