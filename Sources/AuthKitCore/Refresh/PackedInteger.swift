/// A 64-bit integer that asks for the alignment of 32 bits only: four bytes less for each timer.
struct PackedInteger: Sendable {
    private var low: UInt32
    private var high: UInt32

    init(_ value: UInt64) {
        low = UInt32(truncatingIfNeeded: value)
        high = UInt32(truncatingIfNeeded: value >> 32)
    }

    init(_ value: Int64) {
        self.init(UInt64(bitPattern: value))
    }

    var unsigned: UInt64 { UInt64(high) << 32 | UInt64(low) }
    var signed: Int64 { Int64(bitPattern: unsigned) }
}
