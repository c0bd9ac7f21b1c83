/// Finds what somebody may have meant to type.
enum Suggestion {
    /// The closest of some words, if it is close enough to be worth naming.
    static func closest(to word: String, among candidates: [String]) -> String? {
        let limit = max(1, min(3, word.count / 3))
        let ranked = candidates.map { ($0, distance(Array(word.lowercased()), Array($0))) }
        if let best = ranked.min(by: { $0.1 < $1.1 }), best.1 <= limit { return best.0 }
        guard word.count >= 3 else { return nil }
        return candidates.first { $0.hasPrefix(word) }
    }

    /// ` Did you mean X?`, or nothing.
    static func phrase(_ word: String, among candidates: [String], prefix: String = "") -> String {
        closest(to: word, among: candidates).map { " Did you mean \(prefix)\($0)?" } ?? ""
    }

    /// The number of letters added, left out, changed or swapped with their neighbour.
    static func distance(_ left: [Character], _ right: [Character]) -> Int {
        guard left.count <= 64, right.count <= 64 else { return .max }
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in 0..<left.count {
            var current = [row + 1]
            for column in 0..<right.count {
                let change = last[column] + (left[row] == right[column] ? 0 : 1)
                var best = min(change, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
