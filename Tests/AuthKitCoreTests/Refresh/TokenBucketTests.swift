import AuthKitCore
import Testing

@Suite struct TokenBucketTests {
    private let second: Int64 = 1_000_000_000

    @Test(arguments: [(10.0, 1), (10, 5), (0.5, 3), (1000, 100)]) func `no span of time sees more than rate and burst`(
        rate: Double,
        burst: Int
    ) {
        var random = SeededGenerator(3)
        var bucket = TokenBucket(perSecond: rate, burst: burst)
        var takes: [Int64] = []
        var now: Int64 = 0
        for _ in 0..<2000 {
            now += Int64.random(in: 0...Int64(2e9 / rate), using: &random)
            if bucket.nextTake <= now {
                bucket.take(at: now)
                takes.append(now)
            }
        }
        for (index, first) in takes.enumerated() {
            for (count, last) in takes[index...].prefix(200).enumerated() {
                #expect(Double(count + 1) <= Double(burst) + Double(last - first) / 1e9 * rate + 1e-6)
            }
        }
    }

    @Test func `after a rest the burst is there, and then the rate`() {
        var bucket = TokenBucket(perSecond: 10, burst: 3)
        var takes = 0
        for now in stride(from: 0, through: second, by: 1_000_000) where bucket.nextTake <= now {
            bucket.take(at: now)
            takes += 1
        }
        #expect(takes == 13)
    }

    @Test func `what is given back can be taken again`() {
        var bucket = TokenBucket(perSecond: 1, burst: 1)
        bucket.take(at: 0)
        #expect(bucket.nextTake == second)
        bucket.giveBack()
        #expect(bucket.nextTake <= 0)
    }

    @Test func `a pause ends without a burst`() {
        var bucket = TokenBucket(perSecond: 10, burst: 5)
        bucket.pause(until: 30 * second)
        #expect(bucket.nextTake == 30 * second)
        bucket.take(at: 30 * second)
        #expect(bucket.nextTake == 30 * second + second / 10)
        #expect(!bucket.isFull(at: 30 * second) && bucket.isFull(at: 40 * second))
    }
}
