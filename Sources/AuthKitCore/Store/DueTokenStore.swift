/// A store that finds the records which are due for renewal, for workers that share it.
///
/// A claim divides the work and protects nothing: only the lease of a credential does.
public protocol DueTokenStore: TokenStore {
    /// Claims records whose due time has come, the earliest first, at most so many, against other claimers for so long.
    ///
    /// `before` is the latest due time, nil for the store's own now: where machines share a store its clock is the one
    /// that counts. Due times are what the writers' wall clocks said, so that one that is ahead makes its records due
    /// that much later: keep the clocks of machines together. The records come whole, payloads included. A claim ends
    /// with the next save of the record, with `unclaim`, or by lapse, so that a dead worker's work is taken over.
    ///
    /// Records whose `issuerHash` is in `issuers` are left for others, whatever else is said of them: claimers name
    /// issuers that may not be asked now, or of which they have enough. More than a thousand need not be heeded. Where
    /// more is due than the limit, records that were saved with a reserve come first: a token of theirs may be on its
    /// way, and its doubt does not keep. What is given is ordered by due time.
    func claimDue(
        before: WallTime?,
        limit: Int,
        for duration: Duration,
        excluding issuers: Set<[UInt8]>
    ) async throws -> [SealedRecord]

    /// Gives a claim back if the record still has the version that was claimed; nothing happens otherwise.
    func unclaim(_ key: RecordKey, expecting version: RecordVersion) async throws
}

extension DueTokenStore {
    /// Claims records whose due time has come, whatever their issuers.
    public func claimDue(before: WallTime?, limit: Int, for duration: Duration) async throws -> [SealedRecord] {
        try await claimDue(before: before, limit: limit, for: duration, excluding: [])
    }
}
