public import AuthKitCore

/// A small HTTP/1.1 server on loopback, for redirects of a sign-in and for test issuers.
public final class HTTPServer: Sendable {
    /// The port it listens on, the same for each address.
    public let port: UInt16

    private init(port: UInt16) { self.port = port }

    /// Listens and serves until `stop`.
    public static func start(
        port: UInt16 = 0,
        families: LoopbackFamilies = .v4,
        limits: ServerLimits = ServerLimits(),
        time: any TimeSource = SystemTime(),
        handler: @escaping @Sendable (ServerRequest) async -> ServerResponse
    ) throws(LoopbackError) -> HTTPServer {
        throw LoopbackError(.cannotListen, "not available")
    }

    /// Closes the port, lets answers under way finish for 2 s at most, then closes every connection.
    public func stop() async {}
}
