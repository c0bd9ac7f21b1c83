/// A number of records as the subject of a sentence: "1 record is", "2 records were".
struct CountedRecords: CustomStringConvertible {
    private let count: Int
    private let isPast: Bool

    /// Counts records, of which something is said, or was.
    init(_ count: Int, past: Bool = false) {
        self.count = count
        isPast = past
    }

    /// The number with its noun.
    static func noun(_ count: Int) -> String { count == 1 ? "1 record" : "\(count) records" }

    var description: String {
        let isOne = count == 1
        return Self.noun(count) + " " + (isPast ? isOne ? "was" : "were" : isOne ? "is" : "are")
    }
}
