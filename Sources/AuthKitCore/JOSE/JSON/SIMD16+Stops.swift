extension SIMD16<UInt8> {
    /// Takes sixteen bytes of a text.
    @inline(__always)
    init(_ text: Span<UInt8>, at index: Int) {
        // Bounds are checked, and whatever the bytes are, they are numbers.
        self = unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: Self.self)
    }

    /// How many bytes come before the first that a JSON string does not simply go on with: a quote, a backslash, a
    /// control character, a byte beyond ASCII; 16 where there is none.
    @inline(__always)
    var countBeforeStop: Int {
        // As signed numbers, bytes beyond ASCII are below the control characters.
        let others = SIMD16<Int8>(truncatingIfNeeded: self) .< SIMD16<Int8>(repeating: 0x20)
        let quotes = self .== SIMD16(repeating: UInt8(ascii: "\""))
        let backslashes = self .== SIMD16(repeating: UInt8(ascii: "\\"))
        return Self.countBefore(others .| quotes .| backslashes)
    }

    /// How many digits it begins with.
    @inline(__always)
    var digitCount: Int {
        Self.countBefore((self &- SIMD16(repeating: UInt8(ascii: "0"))) .> SIMD16(repeating: 9))
    }

    /// How many elements come before the first that is marked.
    @inline(__always)
    private static func countBefore(_ mask: SIMDMask<SIMD16<Int8>>) -> Int {
        // A mask is sixteen bytes too, with all bits set where it is true.
        let marks = unsafe unsafeBitCast(mask, to: SIMD2<UInt64>.self)
        let low = UInt64(littleEndian: marks[0])
        if low != 0 { return low.trailingZeroBitCount &>> 3 }
        return 8 &+ UInt64(littleEndian: marks[1]).trailingZeroBitCount &>> 3
    }

    /// The first eight bytes as one number, the first one lowest.
    @inline(__always)
    var firstWord: UInt64 { unsafe UInt64(littleEndian: unsafeBitCast(self, to: SIMD2<UInt64>.self)[0]) }
}
