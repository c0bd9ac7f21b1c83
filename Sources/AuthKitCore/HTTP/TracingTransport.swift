/// Reports each exchange of another transport to the flow's tracer, redacted by type.
///
/// Shown are the values of fields and parameters that are not secret, and of answers an allow-list of fields and JSON
/// members; everything else, a body with secrets included, appears by name only, and what repeats a secret of the request not at all. Without a tracer nothing is done.
public struct TracingTransport: HTTPTransport, Sendable {
    private let transport: any HTTPTransport
    private let time: any TimeSource

    /// Wraps a transport.
    public init(_ transport: any HTTPTransport, time: any TimeSource = SystemTime()) {
        self.transport = transport
        self.time = time
    }

    /// Sends through the other transport and reports how it went, failures included.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let tracer = Trace.tracer else { return try await transport.send(request) }
        let start = time.now
        let lines = RedactedExchange.lines(of: request)
        do {
            let answer = try await transport.send(request)
            tracer.record(
                .exchange(
                    request: lines,
                    answer: RedactedExchange.lines(of: answer, to: request),
                    duration: time.now.since(start)
                )
            )
            return answer
        } catch {
            let answer = [RedactedExchange.line(of: error, after: request)]
            tracer.record(.exchange(request: lines, answer: answer, duration: time.now.since(start)))
            throw error
        }
    }
}
