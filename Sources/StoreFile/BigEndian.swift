/// Integers as eight bytes, the highest first.
enum BigEndian {
    static func bytes(_ number: Int64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> Int64($0)) }
    }

    /// Nil unless there are eight bytes.
    static func integer(_ bytes: [UInt8]) -> Int64? {
        guard bytes.count == 8 else { return nil }
        return Int64(bitPattern: bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    }
}
