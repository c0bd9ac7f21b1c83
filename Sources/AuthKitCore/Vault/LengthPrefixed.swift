/// Joins byte strings so that the result can be read one way only: a 4-byte big-endian length before each.
package enum LengthPrefixed {
    /// The joined parts.
    package static func bytes(_ parts: [[UInt8]]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(parts.reduce(0) { $0 + $1.count + 4 })
        for part in parts {
            let count = UInt32(part.count)
            for shift in [24, 16, 8, 0] as [UInt32] { result.append(UInt8(truncatingIfNeeded: count >> shift)) }
            result += part
        }
        return result
    }
}
