import AuthKitTesting
import Testing

@testable import AuthKitCore

/// Freshness by plain numbers is the same judgement as `Expiry` makes.
@Suite struct ReadyTokenTests {
    private static let now = Moment(wall: WallTime(seconds: 1_800_000_000), sinceBoot: .seconds(5000), boot: "b")
    private static let moments: [Moment] = [
        now, Moment(wall: now.wall + .seconds(7200), sinceBoot: .seconds(5000), boot: "b"),
        Moment(wall: now.wall, sinceBoot: .seconds(9000), boot: "b"),
        Moment(wall: now.wall + .seconds(60), sinceBoot: .seconds(1), boot: "c"),
        Moment(wall: now.wall + .seconds(60), sinceBoot: .seconds(1), boot: ""),
        Moment(wall: now.wall - .seconds(7200), sinceBoot: .seconds(5001), boot: "b"),
    ]
    private static let expiries: [Expiry] = [
        .unknown, .never, .after(.seconds(60), from: now), .at(now.wall + .seconds(60)), .at(now.wall),
        .after(.seconds(3600), from: now).orEarlier(at: now.wall + .seconds(30)),
        .after(.seconds(3600), from: Moment(wall: now.wall, sinceBoot: .seconds(5000), boot: "")),
        .after(.zero, from: now), .at(WallTime(seconds: 1 << 40)), .at(WallTime(seconds: -(1 << 40))),
        .after(.seconds(1 << 40), from: now),
    ]

    @Test func `it agrees for every kind of end, clock and duration`() {
        for expiry in Self.expiries {
            let ready = ReadyToken(HeldToken(Secret("t"), expiry: expiry))
            for moment in Self.moments {
                // Beyond 292 years the numbers end, and so does our interest.
                for duration in [Duration.zero, .nanoseconds(1), .seconds(30), .seconds(60), .seconds(61)] {
                    let expected = expiry.lasts(for: duration, at: moment)
                    let found = ready.lasts(for: duration, at: ClockReading(moment))
                    #expect(found == expected, "\(expiry) \(moment) \(duration)")
                }
            }
        }
    }

    @Test func `the machine's reading is that of its moment`() {
        let before = SystemTime().now
        let reading = SystemTime().reading
        let after = SystemTime().now
        #expect((ClockReading(before).wall...ClockReading(after).wall).contains(reading.wall))
        #expect((ClockReading(before).sinceBoot...ClockReading(after).sinceBoot).contains(reading.sinceBoot))
        #expect(reading.boot == ClockReading(before).boot)
    }

    @Test func `a restarted machine judges a lifetime by the wall clock`() async throws {
        let rig = SessionRig(lifetime: .seconds(600))
        let session = try await rig.session()
        _ = try await session.signIn(through: NoAgent())
        rig.time.reboot()
        #expect(try await !session.token().refreshed)
        rig.time.stepWall(by: .seconds(590))
        #expect(try await session.token().refreshed)
    }
}
