/// The names of one object while it is read: finds a second one of the same bytes.
///
/// A bit for each name tells most of them apart. Where bits coincide a few names are compared directly; many are kept
/// in a set, so that a hostile object of many members takes no quadratic time.
struct JSONNameSet {
    private static let directLimit = 32

    private var bits: UInt64 = 0
    private var many: Set<[UInt8]> = []

    /// Adds a name; false when it must be looked at with `insertSlowly`.
    @inline(__always)
    mutating func insert(_ prefix: UInt64, _ nameCount: UInt32, _ memberCount: Int) -> Bool {
        // A multiplicative hash; its upper six bits choose the bit.
        let hash = (prefix &+ UInt64(nameCount)) &* 0x9E37_79B9_7F4A_7C15
        let bit: UInt64 = 1 &<< (hash &>> 58)
        let isNew = bits & bit == 0 && memberCount < Self.directLimit
        bits |= bit
        return isNew
    }

    /// Adds the name of a member; false when one of the object's members so far has it.
    @inline(never)
    mutating func insertSlowly(
        _ member: JSONMember,
        besides members: Span<JSONMember>,
        in bytes: Span<UInt8>
    ) -> Bool {
        if members.count < Self.directLimit {
            for position in members.indices where members[position].prefix == member.prefix {
                if members[position].hasSameName(as: member, in: bytes) { return false }
            }
            return true
        }
        if many.isEmpty {
            for position in members.indices { many.insert(members[position].nameBytes(in: bytes)) }
        }
        return many.insert(member.nameBytes(in: bytes)).inserted
    }
}
