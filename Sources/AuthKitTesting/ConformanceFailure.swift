/// A rule of a contract that was not kept.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
    /// The rule's name.
    public let rule: String
    /// What was seen and what was expected.
    public let detail: String

    /// Makes a failure.
    public init(rule: String, detail: String) {
        self.rule = rule
        self.detail = detail
    }

    /// Both, as one line.
    public var description: String { "\(rule): \(detail)" }
}
