/// Learns how far the issuer's clock is ahead of ours, for timing and messages; nothing is verified by it.
package enum ClockOffset: Sendable {
    /// A slower exchange says too little.
    private static let longestExchange = Duration.seconds(10)
    /// A smaller difference is none: `Date` counts whole seconds.
    private static let tolerance = Duration.seconds(2)
    /// What is beyond is no clock's fault; no issuer moves ours further.
    private static let most = Duration.seconds(86_400)

    /// What an answer says, by the middle between request and receipt; nil where it says nothing.
    ///
    /// RFC 9110 §6.6.1: `Date` is when the answer was made. One with an `Age` comes from a cache (RFC 9111 §5.1).
    package static func learned(from response: HTTPResponse, sentAt: Moment) -> Duration? {
        let dates = response.fields.all(named: "date")
        let exchange = response.receivedAt.since(sentAt)
        guard dates.count == 1, let date = HTTPDate.parseFixed(dates[0]), response.fields.first(named: "age") == nil,
            exchange >= .zero, exchange <= longestExchange
        else { return nil }
        let middle = response.receivedAt.wall - exchange / 2
        // On average half a second has passed since the second began.
        let offset = date + .milliseconds(500) - middle
        return abs(offset) < tolerance ? .zero : min(max(offset, .zero - most), most)
    }

    private static func abs(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }
}
