extension Vault {
    /// Draws a store id and a data key, wraps it, and saves the header if there is none yet.
    static func makeHeader(in store: any TokenStore, keySource: any KeySource) async throws {
        let id = try Random.bytes(16)
        var header = VaultHeader(
            storeID: try Random.bytes(16),
            sourceKind: keySource.kind,
            parameters: try await keySource.makeParameters(),
            keys: [VaultHeader.WrappedKey(id: id, wrapped: [])],
            current: id
        )
        let wrapping = try await WrappingKey.make(for: header, from: keySource)
        header.keys = [try wrapping.wrap(try SecretBytes.random(count: DataKey.wrappedCount), as: id, in: header)]
        try await store.save(try header.record(revision: 1), replacing: nil, under: nil)
    }

    /// Unwraps all of a header's data keys; those that are known already are kept.
    static func ring(
        _ header: VaultHeader,
        version: RecordVersion,
        wrapping: WrappingKey,
        known: KeyRing? = nil
    ) throws -> KeyRing {
        let keys = try header.keys.map { wrapped in
            if let key = known?.key(wrapped.id) { return key }
            return try DataKey(
                id: wrapped.id,
                storeID: header.storeID,
                unwrapped: wrapping.unwrap(wrapped.id, of: header)
            )
        }
        return try KeyRing(header, version: version, keys: keys)
    }

    /// Reads the header again and takes over what has changed in it; gives its version.
    ///
    /// The key source is asked only for a data key that is not known yet, and only when the source was changed too.
    @discardableResult
    func readHeaderAgain() async throws -> RecordVersion {
        guard let record = try await store.load(.header) else { throw Self.headerMissing }
        let known = ring
        if record.version == known.version { return record.version }
        let header = try VaultHeader(record)
        guard header.storeID == storeID else {
            throw VaultError(.tampered, "Another store was put in the place of this one; open it anew.")
        }
        let isKnown = header.keys.allSatisfy { known.key($0.id) != nil }
        var wrapping = isKnown ? state.withLock { $0.wrapping } : try await wrappingKey(for: header)
        let ring: KeyRing
        do {
            ring = try Self.ring(header, version: record.version, wrapping: wrapping, known: known)
        } catch let error as VaultError where error.code == .wrongKey {
            // A source of the same kind may have another key by now: a file that was replaced, a variable, a command.
            wrapping = try await WrappingKey.make(for: header, from: state.withLock { $0.keySource })
            ring = try Self.ring(header, version: record.version, wrapping: wrapping, known: known)
        }
        take(ring, wrapping: wrapping)
        return record.version
    }

    /// The key that wraps a header's keys: the one in memory, if it does, or what the key source gives.
    func wrappingKey(for header: VaultHeader) async throws -> WrappingKey {
        let (wrapping, source) = state.withLock { ($0.wrapping, $0.keySource) }
        if wrapping.fits(header) { return wrapping }
        return try await WrappingKey.make(for: header, from: source)
    }

    /// Goes on with a newer version of the header.
    func take(_ ring: KeyRing, wrapping: WrappingKey, keySource: (any KeySource)? = nil) {
        state.withLock { state in
            guard ring.version.revision > state.ring.version.revision else { return }
            state.ring = ring
            state.wrapping = wrapping
            if let keySource { state.keySource = keySource }
        }
    }

    /// Writes a header above the one that is known, its keys wrapped anew, and goes on with it.
    ///
    /// A key that the old header does not have is wrapped for the new one already. What is wrapped is opened once
    /// before it is written.
    func write(
        _ changed: VaultHeader,
        wrapping: WrappingKey,
        keySource: (any KeySource)? = nil,
        under lease: any StoreLease
    ) async throws {
        let old = ring
        let oldWrapping = try await wrappingKey(for: old.header)
        var header = changed
        header.keys = try changed.keys.map { key in
            guard old.key(key.id) != nil else { return key }
            return try wrapping.wrap(oldWrapping.unwrap(key.id, of: old.header), as: key.id, in: changed)
        }
        let record = try header.record(revision: old.version.revision + 1)
        let ring = try Self.ring(header, version: record.version, wrapping: wrapping)
        try await store.save(record, replacing: old.version, under: lease)
        take(ring, wrapping: wrapping, keySource: keySource)
    }

    static var headerMissing: VaultError {
        VaultError(
            .headerMissing,
            "The store has no header any more, so nothing in it can be opened; restore it from a copy."
        )
    }
}
