public import AuthKitCore

/// One refresh request, as statistics remember it.
public struct RefreshRecord: Sendable, Hashable {
    /// The first eight hexadecimal digits of the token's fingerprint; empty where none was sent.
    public let fingerprint: String
    /// What became of it: `granted`, `grace`, `reuse`, `unknown`, `ended`, `expired`, `refused`, or `fault ` and its kind
    /// where nothing was done; a fault that came with the answer stands in brackets.
    public let outcome: String
    /// When it came.
    public let at: WallTime
}
