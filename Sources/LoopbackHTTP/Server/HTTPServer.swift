public import AuthKitCore

/// A small HTTP/1.1 server on loopback, for redirects of a sign-in and for test issuers.
///
/// libmicrohttpd speaks HTTP on a thread of its own for each address; handlers run as tasks, and nothing waits for
/// them on a thread. A server that nobody holds any more stops by itself.
public final class HTTPServer: Sendable {
    /// The library that is opened at first use, and Debian's package of it.
    package static let library = (name: "libmicrohttpd.so.12", package: "libmicrohttpd12")

    private let core: ServerCore

    private init(owning core: ServerCore) { self.core = core }

    deinit { core.abandon() }

    /// The port it listens on, the same for each address.
    public var port: UInt16 { core.port }

    /// Listens and serves until `stop`; when it returns, connections are taken.
    ///
    /// Port 0 takes a free one. Throws `portBusy` when anyone else listens on the port on one of the addresses,
    /// `cannotListen` when there is no such address, `libraryMissing` without libmicrohttpd. Requests that are too
    /// large, malformed or too slow never reach the handler. `time` counts the handler's deadline only.
    public static func start(
        port: UInt16 = 0,
        families: LoopbackFamilies = .v4,
        limits: ServerLimits = ServerLimits(),
        time: any TimeSource = SystemTime(),
        handler: @escaping @Sendable (ServerRequest) async -> ServerResponse
    ) throws(LoopbackError) -> HTTPServer {
        let library = try MicroHTTPD.shared()
        let sockets = try ListeningSockets.listen(port: port, families: families)
        let core = ServerCore(library: library, limits: limits, sockets: sockets, time: time, handler: handler)
        let server = HTTPServer(owning: core)
        for socket in sockets.sockets {
            guard let daemon = ServerCallbacks.start(core, socket: socket) else {
                throw LoopbackError(.cannotListen, "There is no memory or thread for a server: end other programs.")
            }
            core.add(daemon)
        }
        return server
    }

    /// Closes the port, lets answers under way finish for 2 s at most, then closes every connection.
    ///
    /// When it returns nobody listens any more. Stopping twice is nothing; cancellation does not cut it short.
    public func stop() async { await core.stop() }
}
