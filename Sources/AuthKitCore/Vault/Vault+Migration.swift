extension Vault {
    /// Copies all credentials and tombstones to another vault, over any store, reads each back and compares it.
    ///
    /// Copies keep their version, so that a later run tells what has changed since: a newer state of the same life takes
    /// the older one's place, anything else in the target is kept unless it is to be replaced. The source is not touched
    /// before all was copied and compared, and only when `purgingSource` says so; then each record is compared once more
    /// under its refresh lease, so that no answer on its way is lost, and purged. Until then both stores hold the same
    /// tokens, and one that works once is spent by whichever uses it first: use the target alone from the copy on. May
    /// be stopped at any point and run again. `progress` is given the number of records looked at so far, purging
    /// counted anew.
    public func migrate(
        to target: Vault,
        replacing: Bool = false,
        purgingSource: Bool = false,
        progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws -> MigrationReport {
        guard target.storeID != storeID else {
            throw VaultError(.sameStore, "Source and target are the same store, or one is a copy of the other.")
        }
        return try await withMaintenance { lease in
            var report = MigrationReport()
            var done = 0
            report.damaged = try await self.forEachRecord(under: lease) { record in
                switch try await target.accept(record, replacing: replacing) {
                case .copied: report.copied += 1
                case .present: report.present += 1
                case .kept: report.kept.append(record.credential.id)
                }
                done += 1
                progress(done)
            }
            guard purgingSource else { return report }
            done = 0
            let kept = Set(report.kept)
            _ = try await self.forEachRecord(under: lease) { record in
                let id = record.credential.id
                if !kept.contains(id) {
                    switch try await self.purge(id, copiedTo: target, replacing: replacing) {
                    case .kept: report.kept.append(id)
                    case .copied, .present: report.purged += 1
                    }
                }
                done += 1
                progress(done)
            }
            return report
        }
    }

    /// Runs a body for every credential, each once, as it is at that moment; gives the records that do not open.
    ///
    /// The caller holds the lease for maintenance, so that nothing is moved meanwhile; it is extended on the way.
    func forEachRecord(
        under lease: any StoreLease,
        _ body: (OpenedRecord) async throws -> Void
    ) async throws -> [RecordKey] {
        var damaged: [RecordKey] = []
        var last: RecordKey?
        while true {
            try Task.checkCancellation()
            let page = try await store.list(after: last, limit: Self.pageSize)
            try await lease.extend()
            for listed in page {
                let record: SealedRecord
                let entry: VaultEntry
                do {
                    guard let found = try await loadListed(listed.key) else { continue }
                    record = found
                    entry = try await open(found)
                } catch let error as VaultError where error.code == .tampered {
                    damaged.append(listed.key)
                    continue
                } catch let error as StoreError where error.code == .conflict {
                    continue  // It went while it was read.
                }
                // Where a change of the data key was cut short, a copy lies beside the record that counts.
                guard try await find(entry.credential.id)?.record.key == record.key else { continue }
                try await body(OpenedRecord(credential: entry.credential, version: entry.version, due: record.due))
            }
            guard page.count == Self.pageSize else { return damaged }
            last = page[page.count - 1].key
        }
    }

    private enum Acceptance {
        case copied, present, kept
    }

    /// Takes a copy of another store's record under the version it has there, and compares what is read back.
    private func accept(_ record: OpenedRecord, replacing: Bool) async throws -> Acceptance {
        let id = record.credential.id
        for _ in 0..<Self.takeLimit {
            let found = try await find(id)
            var version = record.version
            if let found {
                let held = try? found.opened(as: id)
                if let held, held.isSame(as: record) { return .present }
                let isOlder =
                    held?.version.incarnation == version.incarnation
                    && found.record.version.revision < version.revision
                guard isOlder || replacing else { return .kept }
                // Revisions grow with every save of a record, so that "newer" keeps its one meaning.
                let revision = max(version.revision, found.record.version.revision + 1)
                version = RecordVersion(incarnation: version.incarnation, revision: revision)
            }
            do {
                try await save(record.credential, as: version, replacing: found?.record.version, due: record.due)
            } catch let error as StoreError where error.code == .conflict {
                continue
            }
            guard let back = try await find(id), try back.opened(as: id).isSame(as: record) else {
                throw VaultError(
                    .copyDiffers,
                    "What was read back of \(id) is not what was copied, so nothing was removed from the source; run it "
                        + "again."
                )
            }
            return .copied
        }
        throw StoreError(.busy, "The record of \(id.slot) changes all the time; try again.")
    }

    /// Removes a record that the target has, brought up to date there first if it has changed.
    private func purge(_ id: CredentialID, copiedTo target: Vault, replacing: Bool) async throws -> Acceptance {
        // A renewal that is on its way holds this until its answer is stored.
        let lease = try await lease(id, for: .refresh, waiting: .seconds(60))
        do {
            for _ in 0..<Self.takeLimit {
                guard let found = try await find(id) else { break }
                let acceptance = try await target.accept(try found.opened(as: id), replacing: replacing)
                if acceptance == .kept {
                    await lease.release()
                    return .kept
                }
                do {
                    try await purge(id, expecting: found.record.version)
                    break
                } catch let error as StoreError where error.code == .conflict {
                    continue
                }
            }
            guard try await find(id) == nil else {
                throw StoreError(.busy, "The record of \(id.slot) changes all the time; try again.")
            }
            await lease.release()
            return .copied
        } catch {
            await lease.release()
            throw error
        }
    }
}
