/// Takes apart what `LengthPrefixed` has joined.
struct LengthPrefixedReader {
    private let bytes: [UInt8]
    /// Where the next part begins.
    private(set) var position: Int

    init(_ bytes: [UInt8], from start: Int) {
        self.bytes = bytes
        position = start
    }

    /// The next part; nil when the bytes end before it does.
    mutating func next() -> [UInt8]? {
        guard let count = nextCount(), count <= bytes.count - position else { return nil }
        defer { position += count }
        return Array(bytes[position..<(position + count)])
    }

    /// The length of the next part alone.
    mutating func nextCount() -> Int? {
        guard bytes.count - position >= 4 else { return nil }
        defer { position += 4 }
        return bytes[position..<(position + 4)].reduce(0) { $0 << 8 | Int($1) }
    }
}
