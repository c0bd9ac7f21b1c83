internal import AuthKitCore

/// Signs in through a browser whose answer comes to a private-use scheme, by way of `authkit callback` (RFC 8252 §7.1).
struct SchemeUserAgent: UserAgent {
    private let reading: AnswerReading
    private let open: @Sendable () throws -> Rendezvous
    private let announce: @Sendable (String) throws -> Void
    private let browse: @Sendable (String) async -> Void

    /// Makes an agent; `announce` tells the URL before `browse` shows it.
    init(
        reading: AnswerReading = .usual,
        open: @escaping @Sendable () throws -> Rendezvous,
        announce: @escaping @Sendable (String) throws -> Void,
        browse: @escaping @Sendable (String) async -> Void
    ) {
        self.reading = reading
        self.open = open
        self.announce = announce
        self.browse = browse
    }

    func prepare(_ redirects: [String]) async throws -> any RedirectReceiver {
        guard let redirect = redirects.first(where: { CallbackURL($0)?.isPrivateUse == true }) else {
            throw CommandFailure.configuration("The profile has no redirect URI with a private-use scheme.")
        }
        return SchemeReceiver(
            rendezvous: try open(),
            redirectURI: redirect,
            reading: reading,
            announce: announce,
            browse: browse
        )
    }
}
