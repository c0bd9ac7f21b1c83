public import AuthKitCore

/// Hands a browser one secret URL through a loopback address, so that no process is started with the secret.
///
/// A browser gets its page as a program's argument, which everyone on the machine can read. It is given `address`
/// in place of the URL, and that sends it on, once. Use: `listen`, build the URL (with `signedOutURI` where the issuer
/// knows it), `send(to:)`, open `address`, `waitUntilFetched`, and `waitUntilSignedOut` where one waits for that.
public final class OneShotRedirect: Sendable {
    /// The loopback address to open, worthless after its first use.
    public let address: String
    /// The post-logout redirect URI to send, with the real port; nil when none was asked for.
    public let signedOutURI: String?
    private let desk: OneShotDesk
    private let server: HTTPServer
    private let time: any TimeSource

    private init(
        address: String,
        signedOutURI: String?,
        desk: OneShotDesk,
        server: HTTPServer,
        time: any TimeSource
    ) {
        self.address = address
        self.signedOutURI = signedOutURI
        self.desk = desk
        self.server = server
        self.time = time
    }

    /// Listens on loopback.
    ///
    /// With `signedOutAt`, a registered post-logout redirect URI on loopback (port 0 for a free port), it listens there
    /// and shows a page to the person who comes back (OpenID Connect RP-Initiated Logout §3). What `accepting`
    /// refuses (another state), and what comes before `address` was fetched, gets 400 and waiting goes on.
    public static func listen(
        signedOutAt redirect: String? = nil,
        accepting: @escaping @Sendable (RedirectAnswer) -> Bool = { _ in true },
        time: any TimeSource = SystemTime()
    ) throws(LoopbackError) -> OneShotRedirect {
        let place = try parsed(redirect ?? "http://127.0.0.1:0/")
        var generator = SystemRandomNumberGenerator()
        let words: [UInt64] = [generator.next(), generator.next()]
        let path =
            "/"
            + Hexadecimal.encode(words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } })
        let desk = OneShotDesk(path: path, signedOutPath: redirect == nil ? nil : place.path, accepting: accepting)
        let server = try HTTPServer.start(port: place.port, families: place.families, time: time) { request in
            await desk.respond(to: request)
        }
        desk.hosts.open(place.hostFields(port: server.port))
        return OneShotRedirect(
            address: "http://\(place.host):\(server.port)\(path)",
            signedOutURI: redirect == nil ? nil : place.uri(port: server.port),
            desk: desk,
            server: server,
            time: time
        )
    }

    /// Says where to send the browser; only the first call counts.
    public func send(to destination: Secret) {
        desk.destination.open(destination)
    }

    /// Waits until a browser has fetched the address; false when none has in that time, or on cancellation.
    ///
    /// Closes, unless it waits for the person's return as well and a browser has come.
    public func waitUntilFetched(within duration: Duration) async -> Bool {
        let isFetched = await desk.fetched.wait(within: duration, on: time) != nil
        if !isFetched || signedOutURI == nil { await close() }
        return isFetched
    }

    /// Waits until the browser is back from the issuer and closes; nil when it is not in that time.
    ///
    /// The answer is one that `accepting` took.
    public func waitUntilSignedOut(within duration: Duration) async -> RedirectAnswer? {
        let answer = await desk.signedOut.wait(within: duration, on: time)
        await close()
        return answer
    }

    /// Closes; answers under way are sent first, bounded.
    ///
    /// Must be called when nothing is waited for; closing twice is nothing.
    public func close() async { await server.stop() }

    private static func parsed(_ redirect: String) throws(LoopbackError) -> LoopbackRedirect {
        guard let place = LoopbackRedirect(redirect) else {
            throw LoopbackError(
                .unsupportedRedirect,
                "The post-logout redirect URI \(redirect) is not on loopback: use one like http://127.0.0.1:0/signed-out."
            )
        }
        return place
    }
}

extension OneShotRedirect: CustomStringConvertible, CustomReflectable {
    /// The name alone: the address leads to a secret.
    public var description: String { "OneShotRedirect" }
    /// A mirror without the address and the destination.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
