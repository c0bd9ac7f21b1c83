/// `Retry-After`, in both of its forms (RFC 9110 §10.2.3).
package enum RetryAfter: Sendable {
    /// No server makes us wait longer than a day.
    package static let longest = Duration.seconds(86_400)

    /// How long to wait; nil where the answer does not say or cannot be read.
    ///
    /// A date is measured against the answer's own `Date` where it has one, so that a wrong clock here does not count.
    package static func duration(in response: HTTPResponse) -> Duration? {
        guard let text = response.fields.first(named: "retry-after")?.trimmingSpaces(), !text.isEmpty else {
            return nil
        }
        if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return min(Int64(text).map { Duration.seconds($0) } ?? longest, longest)
        }
        guard let date = HTTPDate.parse(text) else { return nil }
        let now = response.fields.first(named: "date").flatMap(HTTPDate.parse) ?? response.receivedAt.wall
        return min(max(.zero, date - now), longest)
    }
}
