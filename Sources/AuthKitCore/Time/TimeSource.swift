/// Where time comes from: injected everywhere, so that tests need no waiting.
public protocol TimeSource: Sendable {
    /// Reads the clocks.
    var now: Moment { get }

    /// Reads the clocks as plain numbers: the same reading as `now`, made without its costs where a source can.
    var reading: ClockReading { get }

    /// Measures the nanoseconds since an earlier reading, as `Moment.since` does; a source may read one clock only.
    func nanoseconds(since earlier: ClockReading) -> Int64

    /// Waits; throws `CancellationError` when the task is cancelled meanwhile.
    func sleep(for duration: Duration) async throws
}

extension TimeSource {
    /// Converts `now`.
    public var reading: ClockReading { ClockReading(now) }

    /// Takes a reading and measures by it.
    public func nanoseconds(since earlier: ClockReading) -> Int64 { reading.nanoseconds(since: earlier) }
}
