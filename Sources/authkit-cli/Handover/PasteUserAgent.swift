internal import AuthKitCore
internal import LoopbackHTTP

/// Signs in on another device: the person brings the final URL back on standard input.
struct PasteUserAgent: UserAgent {
    private let input: any LineInput
    private let time: any TimeSource
    private let reading: AnswerReading
    private let announce: @Sendable (String) throws -> Void

    /// Makes an agent; `announce` tells the URL to open.
    init(
        input: any LineInput,
        time: any TimeSource,
        reading: AnswerReading = .usual,
        announce: @escaping @Sendable (String) throws -> Void
    ) {
        self.input = input
        self.time = time
        self.reading = reading
        self.announce = announce
    }

    func prepare(_ redirects: [String]) async throws -> any RedirectReceiver {
        guard let redirect = redirects.first else {
            throw CommandFailure.configuration("The profile has no redirect URI; add one with --redirect-uri.")
        }
        let place = try PastePlace.hold(redirect, time: time)
        return PasteReceiver(input: input, place: place, reading: reading, announce: announce)
    }
}
