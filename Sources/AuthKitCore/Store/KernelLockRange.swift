/// The one byte of a lock file that stands for a record key and a purpose.
package struct KernelLockRange: Sendable, Hashable {
    /// Where the byte is; never negative.
    package let offset: Int64

    /// The byte of a key and a purpose: 61 bits of the key, which is a hash, and two of the purpose.
    package init(_ key: RecordKey, _ purpose: LeasePurpose) {
        self.init(key, slot: Self.slot(purpose))
    }

    private init(_ key: RecordKey, slot: Int64) {
        let head = key.bytes.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        offset = Int64(head >> 3) << 2 | slot
    }

    /// The byte that is held while a store is made or migrated; that of the header's writers too.
    package static let setup = writing(.header)

    /// The byte that is held while claims are made and given back.
    package static let claims = KernelLockRange(offset: Int64.max - 4)

    /// The byte that is held while a record is replaced, where a store has no transactions.
    package static func writing(_ key: RecordKey) -> KernelLockRange { KernelLockRange(key, slot: 3) }

    private init(offset: Int64) {
        self.offset = offset
    }

    private static func slot(_ purpose: LeasePurpose) -> Int64 {
        switch purpose {
        case .refresh: 0
        case .signIn: 1
        case .maintenance: 2
        }
    }
}
