/// The last thing that went wrong with a credential, kept for `status` and diagnosis.
public struct Problem: Sendable, Hashable {
    /// The error's stable word.
    public var code: String
    /// One sentence, free of secrets.
    public var message: String
    /// When it happened.
    public var at: WallTime

    /// Makes a problem.
    public init(code: String, message: String, at: WallTime) {
        self.code = code
        self.message = message
        self.at = at
    }
}
