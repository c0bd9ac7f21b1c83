/// How a person is shown the issuer's pages and how the answer comes back (RFC 8252).
public protocol UserAgent: Sendable {
    /// Makes ready for an answer at one of the redirect URIs, tried in order, before any URL is made.
    ///
    /// A loopback URI with port 0 takes a free port. Throws when none can be had, naming each.
    func prepare(_ redirects: [String]) async throws -> any RedirectReceiver
}
