/// Puts lines together from pieces; of one that is too long nothing is kept but that it came.
struct LineSplitter: Sendable {
    /// A line without its end.
    enum Line: Sendable, Hashable {
        case text([UInt8])
        case tooLong
    }

    private let limit: Int
    private var rest: [UInt8] = []
    private var isTooLong = false

    /// Makes a splitter for lines of at most so many bytes.
    init(limit: Int) {
        self.limit = limit
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
        guard !isTooLong, rest.count + bytes.count <= limit else {
            isTooLong = true
            rest = []
            return
        }
        rest += bytes
    }

    private mutating func finishLine() -> Line {
        defer {
            rest = []
            isTooLong = false
        }
        return isTooLong ? .tooLong : .text(rest)
    }
}
