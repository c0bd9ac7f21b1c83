/// What a listing found: summaries, and the records that do not open.
public struct CredentialListing: Sendable {
    /// The credentials, ordered by slot.
    public let summaries: [CredentialSummary]
    /// Records whose metadata was changed by something else; the others stay usable.
    public let damaged: [RecordKey]
}
