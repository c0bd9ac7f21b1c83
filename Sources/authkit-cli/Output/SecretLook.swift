/// What a text that somebody typed looks like, where it may be a secret: no message shows it then.
enum SecretLook: Sendable, Hashable {
    /// A token, whole or in part.
    case token
    /// JSON, which may hold a key.
    case json
    /// A key, as a JWK or PEM text.
    case key
    /// An address with a user name or password in it.
    case address
    /// A long word that nobody made up; names of files and clients may look like it too.
    case randomWord

    /// Looks at a text; nil when nothing about it is suspicious.
    init?(_ text: String) {
        if text.contains("-BEGIN ") || text.contains("\"kty\"") {
            self = .key
        } else if text.contains("{\"") || ["{", "["].contains(text.first { !$0.isWhitespace }) {
            self = .json
        } else if Self.hasUser(text) {
            self = .address
        } else if Self.words(of: text, besides: "-_.").contains(where: Self.isToken) {
            self = .token
        } else if !["/", "./", "../", "~/"].contains(where: text.hasPrefix),
            Self.words(of: text, besides: "-_+=").contains(where: Self.isRandom)
        {
            self = .randomWord
        } else {
            return nil
        }
    }

    /// Whether it is hardly anything else.
    var isCertain: Bool { self != .randomWord }

    /// The kind in words.
    var name: String {
        switch self {
        case .token: "a token"
        case .json: "JSON"
        case .key: "a key"
        case .address: "an address with a password"
        case .randomWord: "a secret"
        }
    }

    /// What stands in a message instead of the text.
    var placeholder: String { "<\(name)>" }

    private static func hasUser(_ text: String) -> Bool {
        guard let end = text.lastIndex(of: "@") else { return false }
        guard let scheme = text.firstRange(of: "://") else { return text[..<end].contains(":") }
        let authority = text[scheme.upperBound...].prefix { !"/?#".contains($0) }
        // A password may have a slash in it, whatever the grammar says.
        return authority.contains("@") || (end > scheme.upperBound && text[scheme.upperBound..<end].contains(":"))
    }

    private static func words(of text: String, besides marks: String) -> [Substring] {
        text.utf8.split { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                false
            default: !marks.utf8.contains(byte)
            }
        }.map { Substring($0) }
    }

    /// A compact JWS or JWE begins with the base64url of `{`, a space or line end behind it or not (RFC 7515 §7.1).
    private static func isToken(_ word: Substring) -> Bool {
        let parts = word.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
        guard let header = parts.first else { return false }
        let isLong = header.count >= 16
        if ["ewo", "ewp", "ew0", "ew1", "ewk", "ewl"].contains(where: header.hasPrefix) { return isLong }
        guard ["eyJ", "eyA", "eyB", "e30"].contains(where: header.hasPrefix) else { return false }
        return isLong || parts.count == 3 || parts.count == 5
    }

    private static func isRandom(_ word: Substring) -> Bool {
        let hasDigit = word.contains(where: \.isNumber)
        if word.count >= 32, hasDigit, word.allSatisfy(\.isHexDigit) { return true }
        guard word.count >= 20, hasDigit else { return false }
        return word.contains(where: \.isUppercase) && word.contains(where: \.isLowercase)
    }
}
