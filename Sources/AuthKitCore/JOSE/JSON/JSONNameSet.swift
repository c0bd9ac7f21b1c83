/// The names of one object while it is read: finds a second one of the same bytes.
///
/// A bit for each name tells most of them apart. Where bits coincide a few names are compared directly; many are kept
/// in a set, so that a hostile object of many members takes no quadratic time.
struct JSONNameSet {
    private static let directLimit = 32

    private let first: Int
    private var bits: UInt64 = 0
    private var many: Set<[UInt8]> = []

    /// Begins an object whose members will be those from an index on.
    init(from first: Int) {
        self.first = first
    }

    /// Adds the name of a member; false when one of the members from the first on has it.
    @inline(__always)
    mutating func insert(_ member: JSONMember, besides members: [JSONMember], in bytes: Span<UInt8>) -> Bool {
        // A multiplicative hash; its upper six bits choose the bit.
        let hash = (member.prefix &+ UInt64(member.nameCount)) &* 0x9E37_79B9_7F4A_7C15
        let bit: UInt64 = 1 << (hash >> 58)
        if bits & bit == 0, members.count &- first < Self.directLimit {
            bits |= bit
            return true
        }
        return insertSlowly(member, bit, besides: members, in: bytes)
    }

    @inline(never)
    private mutating func insertSlowly(
        _ member: JSONMember,
        _ bit: UInt64,
        besides members: [JSONMember],
        in bytes: Span<UInt8>
    ) -> Bool {
        bits |= bit
        if members.count - first < Self.directLimit {
            return !members[first...].contains { $0.hasSameName(as: member, in: bytes) }
        }
        if many.isEmpty {
            for other in members[first...] { many.insert(other.nameBytes(in: bytes)) }
        }
        return many.insert(member.nameBytes(in: bytes)).inserted
    }
}
