import AuthKitCore

/// Writes times as header fields have them (RFC 9110 §5.6.7, IMF-fixdate).
enum HTTPDateText {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func make(_ time: WallTime) -> String {
        // 1994-11-06T08:49:37Z, whatever fraction stands before the Z.
        let whole = WallTime(seconds: time.seconds).description
        let date = whole.prefix(10).split(separator: "-")
        let clock = whole.dropFirst(11).prefix(8)
        guard date.count == 3, let month = Int(date[1]), (1...12).contains(month) else { return "" }
        // 1970 began on a Thursday.
        let day = Int((time.seconds / 86_400 + 4) % 7)
        return "\(days[max(0, day)]), \(date[2]) \(months[month - 1]) \(date[0]) \(clock) GMT"
    }
}
