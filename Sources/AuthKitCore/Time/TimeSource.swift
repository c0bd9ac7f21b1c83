/// Where time comes from: injected everywhere, so that tests need no waiting.
public protocol TimeSource: Sendable {
    /// Reads the clocks.
    var now: Moment { get }

    /// Reads the clocks as plain numbers: the same reading as `now`, made without its costs where a source can.
    var reading: ClockReading { get }

    /// Waits; throws `CancellationError` when the task is cancelled meanwhile.
    func sleep(for duration: Duration) async throws
}

extension TimeSource {
    /// Converts `now`.
    public var reading: ClockReading { ClockReading(now) }
}
