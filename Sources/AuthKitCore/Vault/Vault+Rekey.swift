extension Vault {
    /// How long a change of this store's keys, an import or a migration by somebody else is waited for.
    static let maintenanceWait: Duration = .seconds(10)

    /// Wraps the data keys anew under another key source, at once: the old source no longer opens the store.
    ///
    /// No record is touched, and whoever has the store open goes on. The new source's parameters are drawn first, and
    /// what it wraps is opened once, before the header is replaced in one write. Data keys that somebody copied while
    /// they had the old source stay good for them: `rekeyData` changes those. Throws `busy` while another change of
    /// keys runs.
    public func rekey(to source: any KeySource) async throws {
        try await withMaintenance { lease in
            var header = self.ring.header
            header.sourceKind = source.kind
            header.parameters = try await source.makeParameters()
            let wrapping = try await WrappingKey.make(for: header, from: source)
            try await self.write(header, wrapping: wrapping, keySource: source, under: lease)
        }
    }

    /// Draws a new data key and seals every record anew under it, each at a new place; the old key is dropped at the end.
    ///
    /// Sessions go on meanwhile, in any process. May be stopped at any point: the next call goes on where this one
    /// ended. Records that do not open stay where they are and keep the old key in the header, so that they are told by
    /// name until a sign-in or `purge(damaged:)` replaces them. `progress` is given the number of records moved so far.
    /// Throws `busy` while another change of keys runs.
    public func rekeyData(progress: @escaping @Sendable (Int) -> Void = { _ in }) async throws -> DataKeyReport {
        try await withMaintenance { lease in
            if !self.ring.isChanging { try await self.addDataKey(under: lease) }
            var move = RecordMove(vault: self, progress: progress)
            try await move.run(under: lease)
            if move.damaged.isEmpty { try await self.dropOlderKeys(under: lease) }
            return DataKeyReport(moved: move.moved, damaged: move.damaged)
        }
    }

    /// Removes a record that opens under no key, so that it no longer holds on to an old one.
    ///
    /// One that the store itself cannot read is removed as well. Throws `conflict` when it does open, or is not there, and
    /// `VaultError.Code.otherHeader` when no record opens because the header is another store's.
    public func purge(damaged key: RecordKey) async throws {
        try await requireOwnHeader()
        guard key != .header, let record = try await record(at: key) else { throw Self.conflict }
        if record.isUnreadable { return try await store.purge(key, expecting: record.version) }
        do {
            _ = try await open(record)
        } catch let error as VaultError where error.code == .tampered {
            return try await store.purge(key, expecting: record.version)
        }
        throw StoreError(.conflict, "The record \(key) can be read, so it was not removed; sign out to remove it.")
    }

    /// Runs a body with the lease for maintenance and the newest header.
    func withMaintenance<Result: Sendable>(_ body: (any StoreLease) async throws -> Result) async throws -> Result {
        let lease = try await store.lease(.header, for: .maintenance, waiting: Self.maintenanceWait)
        do {
            try await readHeaderAgain()
            try await requireOwnHeader()
            let result = try await body(lease)
            await lease.release()
            return result
        } catch {
            await lease.release()
            throw error
        }
    }

    /// Puts a new data key into the header, which seals from then on; the leasing key stays.
    private func addDataKey(under lease: any StoreLease) async throws {
        // Whoever makes a record holds this: no record is made by the old key once the new one is in the header.
        let gate = try await store.lease(try ring.current.gateKey(), for: .maintenance, waiting: Self.stepWait)
        do {
            let old = ring
            let wrapping = try await wrappingKey(for: old.header)
            var header = old.header
            header.current = try Random.bytes(16)
            header.keys.append(VaultHeader.WrappedKey(id: header.current, wrapped: []))
            let leasing = try wrapping.unwrap(old.current.id, of: old.header)
                .part(DataKey.ownCount..<DataKey.wrappedCount)
            let key = try SecretBytes.random(count: DataKey.ownCount).joined(with: leasing)
            header.keys[header.keys.count - 1] = try wrapping.wrap(key, as: header.current, in: header)
            try await write(header, wrapping: wrapping, under: lease)
            await gate.release()
        } catch {
            await gate.release()
            throw error
        }
    }

    /// Takes the keys out of the header that no record needs any more.
    private func dropOlderKeys(under lease: any StoreLease) async throws {
        guard ring.isChanging else { return }
        var header = ring.header
        header.keys.removeAll { $0.id != header.current }
        try await write(header, wrapping: try await wrappingKey(for: ring.header), under: lease)
    }
}
