extension JSONScanner {
    /// Where the number that begins at an offset with a zero or a sign ends.
    @inline(never)
    static func endOfNumber(_ bytes: Span<UInt8>, _ start: Int) throws(JSONError) -> Int {
        var index = start
        if bytes[index] == UInt8(ascii: "-") { index &+= 1 }
        // RFC 8259 §6: no leading zeros.
        if index < bytes.count, bytes[index] == UInt8(ascii: "0") {
            index &+= 1
        } else {
            index = try endOfDigits(bytes, index)
        }
        return try endOfFraction(bytes, index)
    }

    /// Where a number ends whose whole part ends at an offset.
    @inline(never)
    static func endOfFraction(_ bytes: Span<UInt8>, _ start: Int) throws(JSONError) -> Int {
        var index = start
        guard index < bytes.count else { return index }
        if bytes[index] == UInt8(ascii: ".") { index = try endOfDigits(bytes, index &+ 1) }
        guard index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") else { return index }
        index &+= 1
        if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index &+= 1 }
        return try endOfDigits(bytes, index)
    }

    @inline(__always)
    static func endOfDigits(_ bytes: Span<UInt8>, _ start: Int) throws(JSONError) -> Int {
        var index = start
        if index &+ 16 <= bytes.count { index &+= SIMD16(bytes, at: index).digitCount }
        while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 { index &+= 1 }
        guard index > start else { throw JSONError(.malformed, at: index) }
        return index
    }
}
