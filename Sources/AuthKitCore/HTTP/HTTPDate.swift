/// Dates in header fields (RFC 9110 §5.6.7): the preferred form and the two obsolete ones.
package enum HTTPDate: Sendable {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// Reads a date; nil when it is none.
    package static func parse(_ text: String) -> WallTime? {
        let parts = text.lowercased().split { $0 == " " || $0 == "," || $0 == "-" }.map(String.init)
        // `Sun, 06 Nov 1994 08:49:37 GMT` · `Sunday, 06-Nov-94 08:49:37 GMT` · `Sun Nov  6 08:49:37 1994`.
        if parts.count == 6, parts[5] == "gmt" {
            return time(day: parts[1], month: parts[2], year: parts[3], clock: parts[4])
        }
        guard parts.count == 5 else { return nil }
        return time(day: parts[2], month: parts[1], year: parts[4], clock: parts[3])
    }

    /// Reads the preferred form alone (RFC 9110 §5.6.7, IMF-fixdate), letter by letter; nil for anything else.
    package static func parseFixed(_ text: String) -> WallTime? {
        let bytes = Array(text.utf8)
        // Every other place but those of the names holds a digit.
        let marks = [3: ",", 4: " ", 7: " ", 11: " ", 16: " ", 19: ":", 22: ":", 25: " "]
        let digits = [5...6, 12...15, 17...18, 20...21, 23...24]
        guard bytes.count == 29, marks.allSatisfy({ [bytes[$0.key]] == Array($0.value.utf8) }), text.hasSuffix(" GMT"),
            digits.joined().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[$0]) }),
            ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].contains(where: text.hasPrefix)
        else { return nil }
        return parse(text)
    }

    private static func time(day: String, month: String, year: String, clock: String) -> WallTime? {
        let hands = clock.split(separator: ":", omittingEmptySubsequences: false).map { number(String($0)) }
        guard let day = number(day), let index = months.firstIndex(of: month), var year = number(year),
            hands.count == 3,
            let hour = hands[0], let minute = hands[1], let second = hands[2],
            (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        // RFC 9110 §5.6.7: a two-digit year is never far in the future; our century begins in 1970.
        if year < 100 { year += year < 70 ? 2000 : 1900 }
        guard (1970...9999).contains(year) else { return nil }
        let days = daysSinceEpoch(year: year, month: Int64(index) + 1, day: day)
        return WallTime(seconds: days * 86_400 + hour * 3600 + minute * 60 + second)
    }

    private static func number(_ text: String) -> Int64? {
        guard text.utf8.count <= 4, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else {
            return nil
        }
        return Int64(text)
    }

    /// The day number of a Gregorian date; years from March on, so that the leap day is last.
    private static func daysSinceEpoch(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
