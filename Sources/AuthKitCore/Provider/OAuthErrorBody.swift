/// The error fields of RFC 6749 §5.2 as a server sent them, bounded and free of control characters.
public struct OAuthErrorBody: Sendable, Hashable {
    /// `error`.
    public let error: String
    /// `error_description`.
    public let description: String?
    /// `error_uri`.
    public let uri: String?

    /// Keeps at most 500 characters of each, with control characters replaced.
    public init(error: String, description: String? = nil, uri: String? = nil) {
        self.error = Self.tamed(error)
        self.description = description.map(Self.tamed)
        self.uri = uri.map(Self.tamed)
    }

    private static func tamed(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix(500).map { scalar in
                    scalar.value < 32 || (127..<160).contains(scalar.value) ? " " : scalar
                }
            )
        )
    }
}
