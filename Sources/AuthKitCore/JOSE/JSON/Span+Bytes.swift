extension Span<UInt8> {
    /// Compares bytes; where the difference is can be told from the time that it takes.
    func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        var index = 0
        while index &+ 8 <= count {
            guard word(at: index) == other.word(at: index) else { return false }
            index &+= 8
        }
        if index == count { return true }
        // The last word may overlap the one before.
        if count >= 8 { return word(at: count &- 8) == other.word(at: count &- 8) }
        while index < count {
            guard self[index] == other[index] else { return false }
            index &+= 1
        }
        return true
    }

    /// Eight bytes as one number, the first one lowest; compiled to one load behind one check of bounds.
    @inline(__always)
    func word(at index: Int) -> UInt64 {
        let bytes = extracting(index..<index &+ 8)
        let low = UInt64(bytes[0]) | UInt64(bytes[1]) << 8 | UInt64(bytes[2]) << 16 | UInt64(bytes[3]) << 24
        let high = UInt64(bytes[4]) << 32 | UInt64(bytes[5]) << 40 | UInt64(bytes[6]) << 48 | UInt64(bytes[7]) << 56
        return low | high
    }

    /// A copy.
    func array() -> [UInt8] {
        [UInt8](capacity: count) { output in
            for index in indices { output.append(self[index]) }
        }
    }
}
