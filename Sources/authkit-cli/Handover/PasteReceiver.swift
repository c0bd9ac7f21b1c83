internal import AuthKitCore

/// Takes one URL from standard input; a wrong one ends the sign-in.
struct PasteReceiver: RedirectReceiver {
    private let input: any LineInput
    let redirectURI: String
    private let announce: @Sendable (String) throws -> Void

    /// Makes a receiver; a loopback redirect URI without a fixed port is sent with the port it was registered for.
    init(input: any LineInput, redirectURI: String, announce: @escaping @Sendable (String) throws -> Void) {
        self.input = input
        // RFC 8252 §7.3: any port will do on loopback, and nobody listens on this one.
        self.redirectURI = redirectURI.replacingPortZero
        self.announce = announce
    }

    func present(
        _ url: String,
        accepting: @escaping @Sendable (RedirectAnswer) -> Bool
    ) async throws -> RedirectAnswer {
        try announce(url)
        let line = try await input.line(limit: Rendezvous.limit).trimmingSpaces()
        guard let callback = CallbackURL(line), let answer = callback.answer else {
            throw CommandFailure(
                .badData,
                "malformed",
                "What came on standard input is no URL; sign in again and paste the whole final address."
            )
        }
        guard callback.belongs(to: redirectURI), accepting(answer) else {
            throw CommandFailure(
                .protocolViolation,
                "wrong_callback",
                "The URL on standard input does not belong to this sign-in; sign in again and paste its final address."
            )
        }
        return answer
    }

    func finish(_ outcome: SignInOutcome) async {}
}

extension String {
    /// A loopback redirect URI with a port that a browser takes, where port 0 stood for a free one.
    fileprivate var replacingPortZero: String {
        guard let url = CallbackURL(self), url.scheme == "http" else { return self }
        let rest = dropFirst("http://".count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard authority.hasSuffix(":0") else { return self }
        // Reserved by IANA: nothing answers there, and the address stays in the browser's bar to be copied.
        return "http://\(authority.dropLast(2)):49151\(rest.dropFirst(authority.count))"
    }
}
