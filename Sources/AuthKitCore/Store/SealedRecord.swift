/// What a store sees of a credential: sealed bytes and clear columns that say nothing about whom or what.
public struct SealedRecord: Sendable, Hashable {
    /// Where it lies.
    public var key: RecordKey
    /// Its version; bound into the sealing.
    public var version: RecordVersion
    /// Which data key sealed it: 16 bytes.
    public var keyID: [UInt8]
    /// Keyed hash of the issuer, for limits per issuer: 32 bytes.
    public var issuerHash: [UInt8]
    /// When it is due for renewal; nil when it is not to be renewed.
    public var due: WallTime?
    /// Sealed metadata: what `list` shows.
    public var metadata: [UInt8]
    /// Sealed tokens; empty in the records that `list` returns.
    public var payload: [UInt8]
    /// Bytes of room that the store shall make sure of for the next save of this record; not stored.
    public var reserve: Int

    /// Makes a record.
    public init(
        key: RecordKey,
        version: RecordVersion,
        keyID: [UInt8],
        issuerHash: [UInt8],
        due: WallTime?,
        metadata: [UInt8],
        payload: [UInt8],
        reserve: Int = 0
    ) {
        self.key = key
        self.version = version
        self.keyID = keyID
        self.issuerHash = issuerHash
        self.due = due
        self.metadata = metadata
        self.payload = payload
        self.reserve = reserve
    }
}
