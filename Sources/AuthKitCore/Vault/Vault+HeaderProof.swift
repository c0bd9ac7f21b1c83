extension Vault {
    private enum Origin {
        /// A record names a key of the header.
        case own
        /// Records name keys, and none of them is the header's.
        case foreign
        /// No record can be read.
        case unknown
    }

    /// Refuses to go on by a header that nothing in the store was sealed by: it was copied here from another store.
    ///
    /// By it every record looks damaged or is not found, so that purging would remove what is sound, and what was saved
    /// would be lost with the next change of headers. Only the columns are read, and once a record was found that names
    /// a key of the header nothing more: another store's header is refused from then on by its store id.
    func requireOwnHeader() async throws {
        if state.withLock({ $0.isHeaderProven }) { return }
        for _ in 0..<Self.headerLimit {
            let ring = ring
            switch try await origin(of: ring) {
            case .own: return state.withLock { $0.isHeaderProven = true }
            case .unknown: return
            case .foreign:
                // The keys may have been changed since this header was read.
                if try await readHeaderAgain() == ring.version { throw Self.otherHeader }
            }
        }
        throw Self.headerChanges
    }

    private func origin(of ring: KeyRing) async throws -> Origin {
        var isForeign = false
        var last: RecordKey?
        // The first record settles it, unless something is wrong.
        var limit = 1
        while true {
            let page = try await store.list(after: last, limit: limit)
            for record in page where !record.isUnreadable {
                if ring.key(record.keyID) != nil { return .own }
                isForeign = true
            }
            guard page.count == limit, let end = page.last else { return isForeign ? .foreign : .unknown }
            last = end.key
            limit = Self.pageSize
        }
    }

    private static var otherHeader: VaultError {
        VaultError(
            .otherHeader,
            "No record of the store was sealed by the keys in its header, so the header is likely another store's; nothing "
                + "is damaged by that: put the right header back from a copy (in a file store the file named by 64 zeros, in "
                + "a database the row with that key)."
        )
    }
}
