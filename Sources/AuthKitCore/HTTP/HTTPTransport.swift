/// Carries out HTTP exchanges.
///
/// It keeps no cookies, never sends loopback through a proxy, and honours the request's limits.
public protocol HTTPTransport: Sendable {
    /// Sends a request and returns the whole answer, whatever its status.
    ///
    /// Throws `TransportError` when there is none, and `CancellationError` when the task was cancelled; cancellation
    /// stops the transfer.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse
}
