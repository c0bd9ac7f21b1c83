import AuthKitCore
import Testing

@Suite struct BackoffTests {
    private let backoff = Backoff(first: .seconds(2), limit: .seconds(60), least: .milliseconds(250))

    @Test func `the pause is anything up to a bound that doubles`() {
        var random = SeededGenerator(1)
        for (count, bound) in [(1, 2), (2, 4), (3, 8), (5, 32), (6, 60), (7, 60), (255, 60), (Int.max, 60)] {
            let pauses = (0..<2000).map { _ in backoff.delay(afterFailures: count, using: &random) }
            #expect(pauses.allSatisfy { $0 >= .milliseconds(250) && $0 <= .seconds(bound) })
            // Full jitter: the whole span is used, evenly.
            let quarter = Duration.seconds(bound) / 4
            #expect(pauses.count { $0 < quarter } > 400 && pauses.count { $0 > quarter * 3 } > 400)
        }
    }

    @Test func `what the other side asks for wins, and is bounded`() {
        var random = SeededGenerator(2)
        for _ in 0..<500 {
            let asked = backoff.delay(afterFailures: 9, retryAfter: .seconds(5), using: &random)
            #expect(asked >= .seconds(5) && asked <= .seconds(7))
            let absurd = backoff.delay(afterFailures: 1, retryAfter: .seconds(1_000_000_000), using: &random)
            #expect(absurd >= .seconds(3600) && absurd <= .seconds(3602))
            #expect(backoff.delay(afterFailures: 1, retryAfter: .seconds(-9), using: &random) >= .milliseconds(250))
        }
    }
}
