/// Puts lines together from pieces; of one that is too long only the head is kept.
struct LineSplitter: Sendable {
    /// A line without its end.
    enum Line: Sendable, Hashable {
        case text([UInt8])
        case tooLong(head: [UInt8])
    }

    private let limit: Int
    private let headLimit: Int
    private var rest: [UInt8] = []
    private var isTooLong = false

    /// Makes a splitter for lines of at most so many bytes; of longer ones it keeps so many.
    init(limit: Int, headLimit: Int) {
        self.limit = limit
        self.headLimit = headLimit
    }

    /// Takes a piece; returns the lines that end in it.
    mutating func take(_ piece: [UInt8]) -> [Line] {
        var lines: [Line] = []
        var start = piece.startIndex
        while let end = piece[start...].firstIndex(of: UInt8(ascii: "\n")) {
            keep(piece[start..<end])
            lines.append(finishLine())
            start = end + 1
        }
        keep(piece[start...])
        return lines
    }

    /// Ends the input; returns the line that had no end, if there is one.
    mutating func finish() -> Line? {
        rest.isEmpty && !isTooLong ? nil : finishLine()
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        if isTooLong { return }
        isTooLong = rest.count + bytes.count > limit
        rest += isTooLong ? bytes.prefix(max(headLimit - rest.count, 0)) : bytes
        if isTooLong { rest = Array(rest.prefix(headLimit)) }
    }

    private mutating func finishLine() -> Line {
        defer {
            rest = []
            isTooLong = false
        }
        return isTooLong ? .tooLong(head: rest) : .text(rest)
    }
}
