public import AuthKitCore

/// Holds the place that a loopback redirect URI names while its answer is brought back by hand.
///
/// The browser ends up at that address; a program of somebody else that listened there would get code and state.
public final class PastePlace: Sendable {
    /// The redirect URI to send, with the real port in the place of 0.
    public let redirectURI: String
    private let server: HTTPServer?

    private init(redirectURI: String, server: HTTPServer?) {
        self.redirectURI = redirectURI
        self.server = server
    }

    /// Listens at the redirect URI and answers every request with a page that says to copy its address.
    ///
    /// One that is not on loopback is taken as it is, and so is one whose explicit port cannot be had: it may be
    /// forwarded from elsewhere. Throws when no free port can be had for port 0.
    public static func hold(
        _ redirectURI: String,
        time: any TimeSource = SystemTime()
    ) throws(LoopbackError) -> PastePlace {
        guard let redirect = LoopbackRedirect(redirectURI) else {
            return PastePlace(redirectURI: redirectURI, server: nil)
        }
        do {
            let server = try HTTPServer.start(port: redirect.port, families: redirect.families, time: time) { _ in
                .page(.copyAddress)
            }
            return PastePlace(redirectURI: redirect.uri(port: server.port), server: server)
        } catch {
            guard redirect.port != 0 else { throw error }
            return PastePlace(redirectURI: redirectURI, server: nil)
        }
    }

    /// Lets the place go; doing it twice is nothing.
    public func close() async { await server?.stop() }
}
