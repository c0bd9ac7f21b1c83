/// Moves records from the places of keys on their way out to those of the current one.
///
/// Each is copied to its new place under the version that it has, then removed from the old one if it still has that
/// version. The removal is the one step that counts: until then all read and write at the old place, and a copy that was
/// left there by a run that was cut short is brought up to date. Under the credential's lease for maintenance, so
/// that no record comes back that is purged meanwhile.
struct RecordMove {
    /// How often one record is copied because it changed before it could be removed; then it is left to the next pass.
    private static let copyLimit = 8
    /// How often all records are looked through for what is left.
    private static let passLimit = 64

    private enum Outcome {
        case moved, gone, damaged, changing
    }

    private let vault: Vault
    private let progress: @Sendable (Int) -> Void
    /// How many were moved.
    private(set) var moved = 0
    /// Those that do not open.
    private(set) var damaged: [RecordKey] = []

    /// Makes a run; `progress` is given the number of records moved.
    init(vault: Vault, progress: @escaping @Sendable (Int) -> Void) {
        self.vault = vault
        self.progress = progress
    }

    /// Moves all that there is to move; at the end nothing is left at an old place but what does not open.
    mutating func run(under lease: any StoreLease) async throws {
        for _ in 0..<Self.passLimit {
            damaged = []
            if try await pass(under: lease) { return }
        }
        throw StoreError(.busy, "Records change faster than they can be sealed anew; run it again.")
    }

    /// Looks through all records once; true when nothing was found that can be moved.
    private mutating func pass(under lease: any StoreLease) async throws -> Bool {
        let ring = vault.ring
        var isClean = true
        var last: RecordKey?
        while true {
            try Task.checkCancellation()
            try await lease.extend()
            let page = try await vault.store.list(after: last, limit: Vault.pageSize)
            for record in page where record.keyID != ring.current.id {
                switch try await attempt(record, ring) {
                case .moved:
                    moved += 1
                    isClean = false
                    progress(moved)
                case .damaged: damaged.append(record.key)
                case .gone, .changing: isClean = false
                }
            }
            guard page.count == Vault.pageSize else { return isClean }
            last = page[page.count - 1].key
        }
    }

    private func attempt(_ listed: SealedRecord, _ ring: KeyRing) async throws -> Outcome {
        do {
            return try await move(listed, ring)
        } catch let error as VaultError where error.code == .tampered {
            return .damaged
        }
    }

    private func move(_ listed: SealedRecord, _ ring: KeyRing) async throws -> Outcome {
        guard let id = try await name(of: listed, ring) else { return .damaged }
        let lease = try await vault.lease(id, for: .maintenance, waiting: Vault.stepWait)
        do {
            let outcome = try await move(listed.key, ring, under: lease)
            await lease.release()
            return outcome
        } catch {
            await lease.release()
            throw error
        }
    }

    private func move(_ place: RecordKey, _ ring: KeyRing, under lease: any StoreLease) async throws -> Outcome {
        for _ in 0..<Self.copyLimit {
            guard let record = try await vault.loadListed(place) else { return .gone }
            guard let copy = copy(of: record, ring) else { return .damaged }
            try await put(copy, ring, under: lease)
            do {
                try await lease.confirm()
                try await vault.store.purge(place, expecting: record.version)
                return .moved
            } catch let error as StoreError where error.code == .conflict {
                continue  // A session saved meanwhile, at the old place: the copy is brought up to date.
            }
        }
        return .changing
    }

    /// Puts a copy at its new place, over what an earlier run has left there.
    private func put(_ copy: SealedRecord, _ ring: KeyRing, under lease: any StoreLease) async throws {
        let left = try await vault.record(at: copy.key)
        guard let left, left.version == copy.version else {
            return try await vault.store.save(copy, replacing: left?.version, under: lease)
        }
        if let one = try? ring.sealing.open(.payload, of: left, named: ""),
            let other = try? ring.sealing.open(.payload, of: copy, named: ""), one == other, left.due == copy.due,
            (try? ring.sealing.open(.metadata, of: left, named: "")) != nil
        {
            return
        }
        // The same version and something else in it: nobody reads it as long as the old place counts.
        try await vault.store.purge(copy.key, expecting: left.version)
        try await vault.store.save(copy, replacing: nil, under: lease)
    }

    /// Whose record it is, by its metadata or else by its payload; nil when neither says so.
    private func name(of listed: SealedRecord, _ ring: KeyRing) async throws -> CredentialID? {
        if let summary = try? ring.summary(of: listed, named: "") { return summary.id }
        guard let record = try await vault.loadListed(listed.key) else { return nil }
        return (try? ring.entry(of: record, named: ""))?.credential.id
    }

    /// The record sealed under the current key; nil when one of its parts does not open.
    private func copy(of record: SealedRecord, _ ring: KeyRing) -> SealedRecord? {
        do {
            let entry = try ring.entry(of: record, named: "")
            return try ring.sealing.record(
                of: entry.credential,
                metadata: try ring.sealing.open(.metadata, of: record, named: ""),
                payload: try ring.sealing.open(.payload, of: record, named: ""),
                as: record.version,
                due: record.due,
                by: ring.current
            )
        } catch {
            return nil
        }
    }
}
