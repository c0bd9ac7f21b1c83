import AuthKitCore
import Testing

@testable import authkit_cli

/// When a token ends, as every command shows it.
@Suite struct ExpiryTextTests {
    private func moment(_ wall: Duration, _ sinceBoot: Duration) -> Moment {
        Moment(wall: WallTime(sinceEpoch: wall), sinceBoot: sinceBoot, boot: "b")
    }

    /// Two readings of two clocks are a little apart, in either direction.
    @Test(arguments: [-3, 0, 3] as [Int64])
    func `an end at a full second is shown as that second, whatever the clocks' readings`(_ drift: Int64) {
        let start = moment(.seconds(1_700_000_000), .seconds(50))
        let expiry = Expiry.after(.seconds(3600), from: start)
        let now = moment(.seconds(1_700_000_060) + .microseconds(drift), .seconds(110))
        #expect(ExpiryText(expiry, now: now).at == "2023-11-14T23:13:20Z")
        #expect(expiry.shownTime(at: now) == WallTime(seconds: 1_700_003_600))
    }

    @Test func `a status and a list say the same`() throws {
        let start = moment(.seconds(1_700_000_000) + .milliseconds(700), .seconds(50))
        let expiry = Expiry.after(.seconds(3600), from: start)
        let later = moment(.seconds(1_700_000_100) + .milliseconds(900), .seconds(150) + .milliseconds(200))
        let shown = try #require(expiry.shownTime(at: later)?.description)
        #expect(ExpiryText(expiry, now: later).at.string == shown)
        #expect(ExpiryText(expiry, now: start).at.string == shown)
    }
}
