/// Where time comes from: injected everywhere, so that tests need no waiting.
public protocol TimeSource: Sendable {
    /// Reads the clocks.
    var now: Moment { get }

    /// Waits; throws `CancellationError` when the task is cancelled meanwhile.
    func sleep(for duration: Duration) async throws
}
