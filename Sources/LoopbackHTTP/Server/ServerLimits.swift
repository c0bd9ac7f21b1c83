/// What a server takes from a client before it says no.
public struct ServerLimits: Sendable, Hashable {
    /// The longest body in bytes; a longer one is answered with 413.
    public var bodyBytes: Int
    /// About how much the request line and header fields may take, in bytes; more is answered with 414 or 431.
    public var headerBytes: Int
    /// How many connections may be open at a time; beyond that, idle ones are closed and new ones wait.
    public var connections: Int
    /// How long a connection may be silent, in whole seconds.
    public var idleTimeout: Duration
    /// How long a handler may take until 503 is sent in its place; its task is cancelled.
    public var handlerDeadline: Duration

    /// Makes limits that fit a sign-in or a test issuer.
    public init(
        bodyBytes: Int = 1 << 20,
        headerBytes: Int = 64 << 10,
        connections: Int = 128,
        idleTimeout: Duration = .seconds(20),
        handlerDeadline: Duration = .seconds(60)
    ) {
        self.bodyBytes = bodyBytes
        self.headerBytes = headerBytes
        self.connections = connections
        self.idleTimeout = idleTimeout
        self.handlerDeadline = handlerDeadline
    }
}
