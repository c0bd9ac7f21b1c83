extension Vault {
    /// How often a look-up begins anew because the header changed meanwhile.
    static let headerLimit = 8
    /// How often a record that cannot be read is read again because it was replaced meanwhile.
    private static let readLimit = 3

    /// Finds the record of a credential at the place that counts: a key's on its way out before the current one's.
    ///
    /// A move copies a record to its new place before it removes it from the old one, and nothing comes back to an old
    /// place: whoever looks at the old place first misses nothing, and sees what is written there until the move is
    /// done. Nil only when the header, read again after the miss, is the one that was looked by, and is the store's own.
    /// What the store cannot read is found as a record that does not open, `tampered`, with the version that replaces it.
    func find(_ id: CredentialID) async throws -> FoundRecord? {
        for _ in 0..<Self.headerLimit {
            let ring = ring
            for key in ring.keys {
                guard var record = try await record(at: try key.recordKey(for: id)) else { continue }
                // Of one that the store cannot read only the place is known: it is that key's.
                if record.isUnreadable { record.keyID = key.id }
                if ring.isChanging, key.id == ring.current.id { await forgetRetiredKeys() }
                return FoundRecord(record: record, ring: ring, key: key)
            }
            if try await readHeaderAgain() == ring.version {
                try await requireOwnHeader()
                return nil
            }
        }
        throw Self.headerChanges
    }

    /// The key at whose place a credential's record lies, as far as this ring can tell; the current one's for nothing.
    func holder(of id: CredentialID, in ring: KeyRing) async throws -> DataKey {
        let places = try ring.older.map { try $0.recordKey(for: id) }
        for (key, place) in zip(ring.older, places) {
            let isHeld = try await look(at: place).get()
            if isHeld { return key }
        }
        return ring.current
    }

    /// Whether anything lies at a place, were it a record that cannot be read.
    ///
    /// A result and not an error: a loop over calls that throw crashes the optimizer of Swift 6.3.1 in its caller.
    private func look(at place: RecordKey) async -> Result<Bool, any Error> {
        do {
            return .success(try await store.load(place) != nil)
        } catch let error as StoreError where error.isOfOneRecord {
            return .success(true)
        } catch {
            return .failure(error)
        }
    }

    /// Reads what lies at a place; of what the store cannot read, what it lists.
    ///
    /// That is the key, and the version that replaces it. A store that cannot list it either throws what it threw for
    /// the record.
    func record(at place: RecordKey) async throws -> SealedRecord? {
        var attempt = 0
        while true {
            do {
                return try await store.load(place)
            } catch let error as StoreError where error.isOfOneRecord {
                attempt += 1
                let listed: SealedRecord?
                do {
                    listed = try await store.list(after: place.predecessor, limit: 1).first { $0.key == place }
                } catch {
                    Trace.note("\(error)")
                    listed = nil
                }
                if let listed, listed.isUnreadable || attempt >= Self.readLimit {
                    Trace.note("\(error)")
                    return listed
                }
                // It was replaced or removed since it was read, or cannot be listed.
                if attempt >= Self.readLimit { throw error }
            }
        }
    }

    /// Throws `tampered`, with what the store says of it, for a record that the store could not read.
    func requireReadable(_ found: FoundRecord, as id: CredentialID) async throws {
        guard found.record.isUnreadable else { return }
        do {
            _ = try await store.load(found.record.key)
        } catch let error as StoreError where error.isOfOneRecord {
            throw VaultError(
                .tampered,
                "The stored record of \(id) cannot be read; sign in again to replace it. (\(error))",
                cause: error
            )
        }
    }

    /// Takes note that a change of the data key has ended; that this can fail is no reason to fail a look-up.
    private func forgetRetiredKeys() async {
        do {
            try await readHeaderAgain()
        } catch {
            Trace.note("The store's header could not be read again: \(error)")
        }
    }

    static var headerChanges: StoreError {
        StoreError(.busy, "The store's header changes all the time; try again.")
    }
}

extension StoreError {
    /// Whether a store that is open throws it for one record that it cannot read, among others that it can.
    var isOfOneRecord: Bool { code == .corrupt || code == .newerFormat }
}

extension RecordKey {
    /// The key before it in order; the header's, which is the first, has none.
    fileprivate var predecessor: RecordKey? {
        var bytes = bytes
        guard let last = bytes.lastIndex(where: { $0 != 0 }) else { return nil }
        bytes[last] -= 1
        for index in bytes.indices where index > last { bytes[index] = 255 }
        return RecordKey(bytes: bytes)
    }
}
