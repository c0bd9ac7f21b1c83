/// A store that finds the records which are due for renewal, for workers that share it.
///
/// A claim divides the work and protects nothing: only the lease of a credential does.
public protocol DueTokenStore: TokenStore {
    /// Claims records whose due time has come, the earliest first, at most so many, against other claimers for so long.
    ///
    /// `before` is the latest due time, nil for the store's own now: where machines share a store its clock is the one
    /// that counts. The records come whole, payloads included. A claim ends with the next save of the record, with
    /// `unclaim`, or by lapse, so that a dead worker's work is taken over. Where more is due than the limit, a store may
    /// prefer records that were saved with a reserve: a token of theirs may be on its way, and its doubt does not keep.
    func claimDue(before: WallTime?, limit: Int, for duration: Duration) async throws -> [SealedRecord]

    /// Gives a claim back if the record still has the version that was claimed; nothing happens otherwise.
    func unclaim(_ key: RecordKey, expecting version: RecordVersion) async throws
}
