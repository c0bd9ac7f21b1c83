public import AuthKitCore

extension FileStore {
    /// Claims records whose due time has come, the earliest first; reads the front of every file to find them.
    ///
    /// Claims are kept in the file `claims` with the versions they are for, so that a save ends them, and count by the
    /// boot clock, which all processes of the machine share and nothing steps. They are not synced: after a crash of the
    /// machine nobody is left who holds one.
    public func claimDue(
        before: WallTime?,
        limit: Int,
        for duration: Duration,
        excluding issuers: Set<[UInt8]>
    ) async throws -> [SealedRecord] {
        guard limit > 0 else { return [] }
        return try await locked(.claims) {
            let now = options.time.now
            let latest = before ?? now.wall
            var claims = try folder.claims(at: now)
            var due: [(time: WallTime, record: SealedRecord)] = []
            for key in try folder.keys() where key != .header {
                let found = try readable { () throws(StoreError) in try folder.head(key) }
                guard let record = found, let time = record.due, time <= latest, claims[key] != record.version,
                    !issuers.contains(record.issuerHash)
                else { continue }
                due.append((time, record))
            }
            let promised = try folder.keysWithRoom()
            due.sort { ($0.time, $0.record.key) < ($1.time, $1.record.key) }
            // What was saved with a reserve is taken before the rest.
            due = due.filter { promised.contains($0.record.key) } + due.filter { !promised.contains($0.record.key) }
            var claimed: [SealedRecord] = []
            for (_, head) in due {
                // It may have been saved since its front was read, and then it is not known to be due.
                let found = try readable { () throws(StoreError) in try folder.load(head.key) }
                guard let record = found, record.version == head.version else { continue }
                claimed.append(record)
                if claimed.count == limit { break }
            }
            guard !claimed.isEmpty else { return [] }
            claimed.sort { ($0.due ?? latest, $0.key) < ($1.due ?? latest, $1.key) }
            let term = ClaimTerm(duration, from: options.time.now)
            for record in claimed { claims.add(record.key, record.version, term) }
            try folder.write(claims)
            return claimed
        }
    }

    /// Gives a claim back if it is for this version; nothing happens otherwise.
    public func unclaim(_ key: RecordKey, expecting version: RecordVersion) async throws {
        try await locked(.claims) {
            var claims = try folder.claims(at: options.time.now)
            guard claims[key] == version else { return }
            claims.remove(key)
            try folder.write(claims)
        }
    }

    /// What a body reads; nil for a damaged file, which is not to hold up the others.
    private func readable(
        _ body: () throws(StoreError) -> SealedRecord?
    ) throws(StoreError) -> SealedRecord? {
        do throws(StoreError) {
            return try body()
        } catch {
            guard error.isDamage else { throw error }
            Trace.note("\(error)")
            return nil
        }
    }
}
