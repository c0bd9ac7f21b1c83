/// One reading of the machine's clocks.
///
/// The boot clock runs through suspend and is never stepped; it means something only together with the boot it
/// counts from. The wall clock may be stepped at any time. Durations are judged by the boot clock while the boot is
/// the same, and by the wall clock otherwise.
public struct Moment: Sendable, Hashable {
    /// The wall clock.
    public var wall: WallTime
    /// Time since boot, suspend included.
    public var sinceBoot: Duration
    /// Names the boot that `sinceBoot` counts from; empty where the system does not say.
    public var boot: String

    /// Makes a reading.
    public init(wall: WallTime, sinceBoot: Duration, boot: String) {
        self.wall = wall
        self.sinceBoot = sinceBoot
        self.boot = boot
    }

    /// The same reading on a clock that is ahead of ours: the wall clock alone moves.
    public func shifted(by offset: Duration) -> Moment {
        Moment(wall: wall + offset, sinceBoot: sinceBoot, boot: boot)
    }

    /// Measures the time since an earlier reading: by the boot clock on the same boot, else by the wall clock.
    public func since(_ earlier: Moment) -> Duration {
        boot == earlier.boot && !boot.isEmpty ? sinceBoot - earlier.sinceBoot : wall - earlier.wall
    }
}
