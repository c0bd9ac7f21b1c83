import Testing

@testable import AuthKitCore

/// Time as plain numbers: the same as the exact one, as far as 64 bits go.
@Suite struct ClockReadingTests {
    /// By the two parts of a duration, each in its own range.
    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        let exact = Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000)
        return Int64(min(max(exact, Int128(Int64.min)), Int128(Int64.max)))
    }

    @Test func `a duration is its whole nanoseconds, towards zero and up to the ends`() {
        var random = SeededGenerator(5)
        var durations: [Duration] = [.zero, .seconds(Int64.max), .seconds(-Int64.max), .nanoseconds(Int64.max)]
        durations += [
            .nanoseconds(Int64.max) + .nanoseconds(1), .nanoseconds(Int64.min),
            .nanoseconds(Int64.min) - .nanoseconds(1),
        ]
        // What is longer has no parts (`Duration.components`).
        for bits in 0..<122 {
            for _ in 0..<20 {
                let low = UInt64.random(in: 0...UInt64.max, using: &random)
                let high = UInt64.random(in: 0...UInt64.max, using: &random)
                let value = Int128(truncatingIfNeeded: UInt128(high) << 64 | UInt128(low)) >> (126 - bits)
                durations.append(Duration(attoseconds: value))
            }
            for near in -2...2 { durations.append(Duration(attoseconds: (Int128(1) << bits) + Int128(near))) }
        }
        for step in -3...3 { durations.append(Duration(attoseconds: Int128(Int64.max) * 1_000_000_000 + Int128(step))) }
        for duration in durations {
            #expect(duration.clampedNanoseconds == Self.nanoseconds(duration), "\(duration.attoseconds)")
            #expect(
                (.zero - duration).clampedNanoseconds == Self.nanoseconds(.zero - duration),
                "\(duration.attoseconds)"
            )
        }
    }

    @Test func `the time since a reading is measured as that between moments`() {
        let moments = [
            Moment(wall: WallTime(seconds: 1000), sinceBoot: .seconds(10), boot: "a"),
            Moment(wall: WallTime(seconds: 1500), sinceBoot: .seconds(70), boot: "a"),
            Moment(wall: WallTime(seconds: 3000), sinceBoot: .seconds(5), boot: "b"),
            Moment(wall: WallTime(seconds: 4000), sinceBoot: .seconds(9), boot: ""),
            Moment(wall: WallTime(seconds: 5000), sinceBoot: .seconds(1), boot: ""),
        ]
        for now in moments {
            for earlier in moments {
                let expected = now.since(earlier).clampedNanoseconds
                #expect(ClockReading(now).nanoseconds(since: ClockReading(earlier)) == expected)
                #expect(HeldTime(now: now).nanoseconds(since: ClockReading(earlier)) == expected)
            }
        }
        let far = ClockReading(wall: .max, sinceBoot: .max, boot: 1)
        #expect(far.nanoseconds(since: ClockReading(wall: .min, sinceBoot: .min, boot: 1)) == .max)
        #expect(ClockReading(wall: .min, sinceBoot: 0, boot: 0).nanoseconds(since: far) == .min)
    }

    @Test func `the machine measures by its boot clock, and by the wall clock from another boot`() {
        let time = SystemTime()
        let before = time.now
        let here = ClockReading(
            wall: 0,
            sinceBoot: ClockReading(before).sinceBoot - 7_000_000_000,
            boot: ClockReading(before).boot
        )
        #expect((7_000_000_000..<67_000_000_000).contains(time.nanoseconds(since: here)))
        for boot in [here.boot ^ 2, 0] {
            let elsewhere = ClockReading(wall: ClockReading(before).wall - 9_000_000_000, sinceBoot: 0, boot: boot)
            #expect((9_000_000_000..<69_000_000_000).contains(time.nanoseconds(since: elsewhere)))
        }
    }
}

/// A source whose clocks stand, with nothing of its own.
private struct HeldTime: TimeSource {
    let now: Moment

    /// Nobody sleeps here.
    func sleep(for duration: Duration) async throws { Issue.record("nothing is waited for") }
}
