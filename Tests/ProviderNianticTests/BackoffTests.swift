import AuthKitCore
import ProviderNiantic
import Testing

/// The pauses of a scheduler of NSDK tokens.
@Suite struct BackoffTests {
    @Test func `the bound is 1, 2, 4 s and so on up to a minute, and the whole span below it is used`() {
        var random = SeededGenerator(1)
        let bounds = [
            (1, 1), (2, 2), (3, 4), (4, 8), (5, 16), (6, 32), (7, 60), (8, 60), (255, 60), (Int.max, 60),
        ]
        for (count, seconds) in bounds {
            let bound = Duration.seconds(seconds)
            let pauses = (0..<2000).map { _ in Backoff.niantic.delay(afterFailures: count, using: &random) }
            #expect(pauses.allSatisfy { $0 >= .milliseconds(250) && $0 <= bound })
            #expect(pauses.contains { $0 > bound * 0.98 })
            // Full jitter: no part of the span is likelier than another. What is shorter than the least counts as that.
            let quarter = bound / 4
            #expect(pauses.count { $0 <= quarter } > 400 && pauses.count { $0 <= quarter } < 600)
            #expect(pauses.count { $0 > quarter * 3 } > 400 && pauses.count { $0 > quarter * 3 } < 600)
        }
    }

    @Test func `a Retry-After wins over the bound, either way, and is spread over a second`() {
        var random = SeededGenerator(2)
        let short = (0..<500).map { _ in
            Backoff.niantic.delay(afterFailures: 9, retryAfter: .seconds(5), using: &random)
        }
        #expect(short.allSatisfy { $0 >= .seconds(5) && $0 <= .seconds(6) })
        #expect(Set(short).count > 400)
        let long = (0..<500).map { _ in
            Backoff.niantic.delay(afterFailures: 1, retryAfter: .seconds(600), using: &random)
        }
        #expect(long.allSatisfy { $0 >= .seconds(600) && $0 <= .seconds(601) })
    }
}
