/// What a sign-in page does beside redirecting to the one address that is waited for.
public struct SignInSite: Sendable, Hashable {
    /// The page's origin, such as `https://site.example`: its scripts may ask here and read the page that answers them.
    ///
    /// Fetch Standard, "CORS protocol"; no other origin's may.
    public let origin: String
    /// Where the browser comes to when the sign-in failed there; nil where there is no such place.
    ///
    /// What comes there ends no wait, since anybody could send it; its `error` and `error_description` are handed on.
    public let failurePath: String?

    /// Names them; the origin in its serialized form (RFC 6454 §6.2).
    public init(origin: String, failurePath: String? = nil) {
        self.origin = origin
        self.failurePath = failurePath
    }
}
