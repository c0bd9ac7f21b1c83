extension Vault {
    /// How often a save goes after a record that is moved away from under it.
    private static let moveLimit = 8
    /// How long short steps of others are waited for: making a record, moving one, changing the header.
    static let stepWait: Duration = .seconds(10)

    /// Seals and saves a credential if what is stored has the version expected; durable on return.
    ///
    /// Throws `StoreError.Code.conflict` otherwise. `due` is when a worker should renew it.
    @discardableResult
    public func save(
        _ credential: StoredCredential,
        replacing expected: RecordVersion?,
        under lease: (any StoreLease)? = nil,
        due: WallTime? = nil
    ) async throws -> RecordVersion {
        let revision = expected.map { $0.revision + 1 } ?? Self.firstRevision
        let version = RecordVersion(incarnation: credential.incarnation, revision: revision)
        do {
            try await save(credential, as: version, replacing: expected, under: lease, due: due)
        } catch let error as StoreError where error.code == .conflict {
            // A save that was reported as failed and took effect finds what it wrote when it is tried again.
            guard let version = try await versionHolding(credential) else { throw error }
            return version
        }
        return version
    }

    /// The revision of a record that is made: microseconds since 1970.
    ///
    /// Above any that a record of the same name reached before it was purged, so that "newer" keeps its one meaning for
    /// whoever still knows that one: no record is saved a million times a second.
    private static var firstRevision: Int64 {
        let parts = SystemTime().now.wall.sinceEpoch.components
        return max(1, parts.seconds * 1_000_000 + parts.attoseconds / 1_000_000_000_000)
    }

    /// Saves as a version of the caller's choice: a copy from another store keeps the one it has there.
    func save(
        _ credential: StoredCredential,
        as version: RecordVersion,
        replacing expected: RecordVersion?,
        under lease: (any StoreLease)? = nil,
        due: WallTime?
    ) async throws {
        if let expected {
            try await replace(expected, by: credential, as: version, under: lease, due: due)
        } else {
            try await create(credential, as: version, under: lease, due: due)
        }
    }

    /// Removes a record for good; sign-out leaves a tombstone instead.
    ///
    /// Takes the credential's lease for maintenance, so that no move of the record to another data key brings it back.
    public func purge(_ id: CredentialID, expecting version: RecordVersion) async throws {
        let lease = try await lease(id, for: .maintenance, waiting: Self.stepWait)
        do {
            try await purge(id, expecting: version, under: lease)
            await lease.release()
        } catch {
            await lease.release()
            throw error
        }
    }

    private func purge(_ id: CredentialID, expecting version: RecordVersion, under lease: any StoreLease) async throws {
        try await readHeaderAgain()
        let ring = ring
        guard let record = try await find(id)?.record, record.version == version else { throw Self.conflict }
        // A move that was cut short may have left a copy at a later place: it would stand for the record.
        for key in ring.keys {
            let place = try key.recordKey(for: id)
            guard place != record.key, let copy = try await self.record(at: place) else { continue }
            try await lease.confirm()
            try await store.purge(place, expecting: copy.version)
        }
        try await lease.confirm()
        try await store.purge(record.key, expecting: version)
    }

    /// Replaces a version wherever it lies: while the data key is changed, records are moved.
    private func replace(
        _ expected: RecordVersion,
        by credential: StoredCredential,
        as version: RecordVersion,
        under lease: (any StoreLease)?,
        due: WallTime?
    ) async throws {
        var attempt = 0
        while true {
            let ring = ring
            let key = try await holder(of: credential.id, in: ring)
            let record = try seal(credential, as: version, due: due, by: key, of: ring)
            do {
                return try await store.save(record, replacing: expected, under: lease)
            } catch let error as StoreError where error.code == .conflict {
                attempt += 1
                // What still lies where it was looked for was not moved: somebody else's change is told at once.
                guard attempt < Self.moveLimit, let found = try await find(credential.id)?.record,
                    found.version == expected, found.key != record.key
                else { throw error }
            }
        }
    }

    /// Makes a record, under a lease that is held while the key of new records is changed as well.
    ///
    /// So that none is made by a key on its way out after the look through all records for what is left of it.
    private func create(
        _ credential: StoredCredential,
        as version: RecordVersion,
        under lease: (any StoreLease)?,
        due: WallTime?
    ) async throws {
        let gate = try await store.lease(try ring.current.gateKey(), for: .maintenance, waiting: Self.stepWait)
        do {
            try await readHeaderAgain()
            try await requireOwnHeader()
            let ring = ring
            guard try await holder(of: credential.id, in: ring).id == ring.current.id else { throw Self.conflict }
            let record = try seal(credential, as: version, due: due, by: ring.current, of: ring)
            if lease != nil { try await gate.confirm() }
            try await store.save(record, replacing: nil, under: lease ?? gate)
            await gate.release()
        } catch {
            await gate.release()
            throw error
        }
    }

    /// The version under which exactly this is stored; nil when something else is, or nothing that opens.
    private func versionHolding(_ credential: StoredCredential) async throws -> RecordVersion? {
        do {
            let entry = try await load(credential.id)
            return entry?.credential == credential ? entry?.version : nil
        } catch let error as VaultError where error.code == .tampered {
            return nil
        }
    }

    private func seal(
        _ credential: StoredCredential,
        as version: RecordVersion,
        due: WallTime?,
        by key: DataKey,
        of ring: KeyRing
    ) throws -> SealedRecord {
        let plaintext = credential.serialized()
        guard plaintext.count <= Self.credentialLimit else {
            throw VaultError(.tooLarge, "The tokens of \(credential.id) are larger than 4 MiB; ask for fewer scopes.")
        }
        return try ring.sealing.record(
            of: credential,
            metadata: CredentialSummary(of: credential).serialized(),
            payload: plaintext,
            as: version,
            due: due,
            by: key
        )
    }

    static var conflict: StoreError {
        StoreError(.conflict, "The record was changed meanwhile; read it again and decide anew.")
    }
}

extension RecordSealing {
    /// Seals both parts of a credential at the place that a key gives it.
    func record(
        of credential: StoredCredential,
        metadata: [UInt8],
        payload: [UInt8],
        as version: RecordVersion,
        due: WallTime?,
        by key: DataKey
    ) throws -> SealedRecord {
        var record = SealedRecord(
            key: try key.recordKey(for: credential.id),
            version: version,
            keyID: key.id,
            issuerHash: try key.issuerHash(for: credential.id),
            due: due.map { WallTime(seconds: $0.seconds) },
            metadata: [],
            payload: [],
            reserve: credential.intents.isEmpty ? 0 : payload.count + Vault.answerRoom
        )
        record.metadata = try seal(metadata, as: .metadata, of: record)
        record.payload = try seal(payload, as: .payload, of: record)
        return record
    }
}
