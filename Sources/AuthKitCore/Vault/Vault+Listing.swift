extension Vault {
    /// Records that are read at once.
    static let pageSize = 500
    /// How often all is read because records were being moved meanwhile; two are enough for one change of the data key,
    /// more are needed where one change follows the other.
    private static let passLimit = 16

    /// What is held, from metadata alone: opens no token.
    ///
    /// While the data key is changed a record may move to a place that was passed already, so all is read once more
    /// then: what moved during the first reading lies still during the second. Each credential is told once, by its
    /// newest revision. Throws `VaultError.Code.otherHeader` when the header is another store's, by which all would seem
    /// damaged.
    public func listing() async throws -> CredentialListing {
        try await requireOwnHeader()
        var found: [CredentialID: Listed] = [:]
        var damaged: [RecordKey] = []
        for pass in 0..<Self.passLimit {
            try await readHeaderAgain()
            let before = ring
            damaged = try await list(by: before, into: &found)
            try await readHeaderAgain()
            let after = ring
            if before.version == after.version, !before.isChanging { break }
            if pass > 0, before.current.id == after.current.id { break }
        }
        let summaries = found.values.map(\.summary).sorted { $0.id.slot < $1.id.slot }
        return CredentialListing(summaries: summaries, damaged: damaged)
    }

    /// Reads a record that was listed; nil when it is gone.
    ///
    /// What the store itself cannot read is told as `tampered`: a file which is cut or overwritten, its format's number
    /// among that, is one damaged record among others, as one is that does not open.
    func loadListed(_ key: RecordKey) async throws -> SealedRecord? {
        do {
            return try await store.load(key)
        } catch let error as StoreError where error.isOfOneRecord {
            throw VaultError(.tampered, "\(error)", cause: error)
        }
    }

    /// Reads all metadata once; gives the records that do not open.
    private func list(by ring: KeyRing, into found: inout [CredentialID: Listed]) async throws -> [RecordKey] {
        var damaged: [RecordKey] = []
        var last: RecordKey?
        while true {
            let page = try await store.list(after: last, limit: Self.pageSize)
            for record in page {
                guard let summary = try? ring.summary(of: record, named: record.key.description) else {
                    damaged.append(record.key)
                    continue
                }
                let revision = record.version.revision
                if let known = found[summary.id], known.revision > revision { continue }
                found[summary.id] = Listed(summary: summary, revision: revision)
            }
            guard page.count == Self.pageSize else { return damaged }
            last = page[page.count - 1].key
        }
    }
}

/// A line of a listing, with what tells an older copy of a record from a newer one.
private struct Listed: Sendable {
    let summary: CredentialSummary
    let revision: Int64
}
