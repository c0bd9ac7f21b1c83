/// Joins byte strings so that the result can be read one way only: a 4-byte big-endian length before each.
package enum LengthPrefixed {
    /// The joined parts.
    package static func bytes(_ parts: [[UInt8]]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(parts.reduce(0) { $0 + $1.count + 4 })
        for part in parts { append(part, to: &result) }
        return result
    }

    /// Adds one more part.
    static func append(_ part: some Collection<UInt8>, to result: inout [UInt8]) {
        appendCount(part.count, to: &result)
        result += part
    }

    /// Adds a number as a part of eight bytes, the highest first.
    static func append(_ number: Int64, to result: inout [UInt8]) {
        appendCount(8, to: &result)
        for shift in stride(from: 56, through: 0, by: -8) {
            result.append(UInt8(truncatingIfNeeded: number >> Int64(shift)))
        }
    }

    private static func appendCount(_ count: Int, to result: inout [UInt8]) {
        let count = UInt32(count)
        result.append(UInt8(truncatingIfNeeded: count >> 24))
        result.append(UInt8(truncatingIfNeeded: count >> 16))
        result.append(UInt8(truncatingIfNeeded: count >> 8))
        result.append(UInt8(truncatingIfNeeded: count))
    }
}
