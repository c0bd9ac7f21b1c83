/// Finds the names of a record's members by their bytes: one look into a table for nearly each of them.
struct RecordNames: Sendable {
    private struct Slot {
        /// The first eight bytes, the first one lowest; zeros behind a shorter name.
        var low: UInt64 = 0
        /// The next eight.
        var high: UInt64 = 0
        var count = 0
        var name: RecordName?

        init(_ bytes: Span<UInt8>) {
            count = bytes.count
            low = JSONName.prefix(of: bytes)
            high = bytes.count > 8 ? JSONName.prefix(of: bytes.extracting(droppingFirst: 8)) : 0
        }

        /// Where it is looked for first: a multiplicative hash, of which the upper bits are the best.
        var home: Int {
            let hash = ((low ^ high) &+ UInt64(truncatingIfNeeded: count)) &* 0x9E37_79B9_7F4A_7C15
            return Int(truncatingIfNeeded: hash &>> 56)
        }
    }

    /// The longest name that there is a slot for.
    private static let longest = 16
    /// All names.
    static let all = RecordNames()

    private var slots = ContiguousArray<Slot?>(repeating: nil, count: 256)

    private init() {
        for name in RecordName.allCases {
            let text = name.text
            precondition(text.utf8.count <= Self.longest, "a slot has room for names of sixteen bytes")
            var slot = Slot(text.utf8Span.span)
            slot.name = name
            var index = slot.home
            while slots[index] != nil { index = (index + 1) % slots.count }
            slots[index] = slot
        }
    }

    /// The name that has these bytes; nil when none has.
    func find(_ bytes: Span<UInt8>) -> RecordName? {
        guard bytes.count <= Self.longest else { return nil }
        let sought = Slot(bytes)
        var index = sought.home
        while let slot = slots[index] {
            if slot.low == sought.low, slot.high == sought.high, slot.count == sought.count { return slot.name }
            index = (index + 1) % slots.count
        }
        return nil
    }
}
