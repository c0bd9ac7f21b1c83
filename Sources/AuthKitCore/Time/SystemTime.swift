#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The machine's own clocks.
public struct SystemTime: TimeSource {
    /// Makes the source.
    public init() {}

    /// Reads the wall clock, the boot clock and the boot's identifier.
    public var now: Moment {
        Moment(wall: Self.wall, sinceBoot: Self.sinceBoot, boot: Self.boot)
    }

    /// Reads the clocks as plain numbers.
    public var reading: ClockReading {
        ClockReading(
            wall: Self.nanoseconds(CLOCK_REALTIME),
            sinceBoot: Self.nanoseconds(Self.bootClock),
            boot: Self.bootMark
        )
    }

    /// Measures by the boot clock alone where the reading is of this boot, which it nearly always is.
    public func nanoseconds(since earlier: ClockReading) -> Int64 {
        guard earlier.boot == Self.bootMark, earlier.boot != 0 else { return reading.nanoseconds(since: earlier) }
        return Self.nanoseconds(Self.bootClock).clampedDifference(from: earlier.sinceBoot)
    }

    /// Waits on the system's clock.
    public func sleep(for duration: Duration) async throws {
        try await Task.sleep(for: duration)
    }

    private static var wall: WallTime { WallTime(sinceEpoch: .nanoseconds(nanoseconds(CLOCK_REALTIME))) }
    private static var sinceBoot: Duration { .nanoseconds(nanoseconds(bootClock)) }
    private static let bootMark = ClockReading.mark(of: boot)

    #if os(Linux)
    private static var bootClock: clockid_t { CLOCK_BOOTTIME }

    /// Linux draws a new identifier at each boot (random(4)).
    private static let boot: String = {
        let descriptor = unsafe open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { _ = close(descriptor) }  // a descriptor that only reads loses nothing
        var bytes = [UInt8](repeating: 0, count: 36)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe systemRead(descriptor, $0) }
        return count == bytes.count ? String(decoding: bytes, as: UTF8.self) : ""
    }()
    #else
    private static var bootClock: clockid_t { CLOCK_MONOTONIC }
    private static let boot = ""
    #endif

    /// Reads one clock, in nanoseconds.
    ///
    /// The kernel's two words are read as such: in a whole-module build the members of `timespec` belong to a Clang
    /// module that cannot be imported.
    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var words = (seconds: 0, nanoseconds: 0)
        precondition(MemoryLayout.size(ofValue: words) == MemoryLayout<timespec>.size, "a timespec is two words")
        let result = unsafe withUnsafeMutablePointer(to: &words) { words in
            unsafe words.withMemoryRebound(to: timespec.self, capacity: 1) { unsafe clock_gettime(clock, $0) }
        }
        precondition(result == 0, "clock_gettime knows the clocks that POSIX and Linux name")
        return Int64(words.seconds) * 1_000_000_000 + Int64(words.nanoseconds)
    }
}

#if os(Linux)
// A free function, where the C name is not hidden by our own, whichever C library it is.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    unsafe read(descriptor, buffer.baseAddress, buffer.count)
}
#endif
