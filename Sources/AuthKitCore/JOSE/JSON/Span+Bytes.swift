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

    /// Eight bytes as one number, the first one lowest; one load behind one check of bounds.
    @inline(__always)
    func word(at index: Int) -> UInt64 {
        // Bounds are checked, and whatever the bytes are, they are a number.
        unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// Whether there is this byte at an offset.
    @inline(__always)
    func has(_ byte: UInt8, at index: Int) -> Bool {
        // One comparison tells that the offset is neither negative nor too large.
        UInt(bitPattern: index) < UInt(bitPattern: count) && self[index] == byte
    }

    /// A copy.
    func array() -> [UInt8] {
        [UInt8](capacity: count) { output in
            for index in indices { output.append(self[index]) }
        }
    }
}
