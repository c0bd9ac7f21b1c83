public import AuthKitCore

/// One request for a token of the NSDK, as statistics remember it.
public struct ExchangeRecord: Sendable, Hashable, CustomStringConvertible {
    /// Which it was: `rotate`, `refresh`, `access`, `key` or `backend`.
    public let step: String
    /// The first eight hexadecimal digits of the fingerprint of what was sent; empty where nothing was.
    public let fingerprint: String
    /// What became of it: `granted`, `reuse`, `unknown`, `ended`, `expired`, `refused`, or `fault ` and its kind where
    /// nothing was done; a fault that came with the answer stands in brackets.
    public let outcome: String
    /// When it came.
    public let at: WallTime

    /// One line, without a token.
    public var description: String { "\(at) \(step) \(fingerprint.isEmpty ? "-" : fingerprint) \(outcome)" }
}
