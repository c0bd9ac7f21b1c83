/// A token, code or password as text: usable, comparable, never printed.
///
/// `description`, `debugDescription` and `dump` show `<redacted>`. Key bytes do not belong here but in `SecretBytes`.
public struct Secret: Sendable, Hashable {
    private let text: String

    /// Takes the text over.
    public init(_ text: String) {
        self.text = text
    }

    /// The text itself, for the one place that sends, seals or prints it on request.
    public func reveal() -> String { text }

    /// Whether there is no text at all.
    public var isEmpty: Bool { text.isEmpty }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always `<redacted>`.
    public var description: String { "<redacted>" }
    /// Always `<redacted>`.
    public var debugDescription: String { "<redacted>" }
    /// A mirror without children, so that `dump` and `Mirror` show nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
