internal import AuthKitCore

/// An absolute URI as it arrives at, or is configured for, a redirect: kept as written.
///
/// Refused: anything but printable ASCII of RFC 3986, bad escapes, no scheme, more than 64 KiB.
struct CallbackURL: Sendable, Hashable {
    /// The URI as written.
    let text: String
    /// The scheme in lower case.
    let scheme: String

    /// Reads a URI; nil when it is refused.
    init?(_ text: String) {
        guard let colon = text.firstIndex(of: ":"), text.utf8.count <= 65_536 else { return nil }
        let scheme = text[..<colon]
        // RFC 3986 §3.1: a letter, then letters, digits, plus, minus and dot.
        guard let first = scheme.utf8.first, Self.isLetter(first),
            scheme.utf8.allSatisfy({ Self.isLetter($0) || (48...57).contains($0) || "+-.".utf8.contains($0) }),
            text.utf8.index(after: colon) < text.utf8.endIndex,
            text.utf8.allSatisfy({ $0 > 32 && $0 < 127 && !"\"<>\\^`{|}".utf8.contains($0) })
        else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst()
        guard parts.allSatisfy({ $0.count >= 2 && $0.prefix(2).allSatisfy(Self.isHexadecimal) }) else { return nil }
        self.text = text
        self.scheme = scheme.lowercased()
    }

    /// Whether the scheme is an app's own (RFC 8252 §7.1).
    var isPrivateUse: Bool { !Self.schemesOfOthers.contains(scheme) }

    /// The part before query and fragment.
    var base: String { String(text.prefix { $0 != "?" && $0 != "#" }) }

    /// The query, without what follows a `#`.
    var query: String {
        let rest = text.drop { $0 != "?" && $0 != "#" }
        return rest.hasPrefix("?") ? String(rest.dropFirst().prefix { $0 != "#" }) : ""
    }

    /// The query's parameters as an answer; nil for a bad escape or more than 100 of them.
    var answer: RedirectAnswer? {
        guard let parameters = FormEncoding.decode(query), parameters.count <= 100 else { return nil }
        return RedirectAnswer(parameters: parameters)
    }

    /// Whether it is a redirect URI with an answer added: same up to the query, the scheme compared without case.
    func belongs(to redirectURI: String) -> Bool {
        guard let redirect = CallbackURL(redirectURI), redirect.scheme == scheme else { return false }
        return redirect.base.dropFirst(redirect.scheme.count) == base.dropFirst(scheme.count)
    }

    private static let schemesOfOthers: Set<String> = [
        "http", "https", "file", "ftp", "data", "javascript", "mailto", "about", "blob", "ws", "wss", "view-source",
    ]

    private static func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte) || (97...122).contains(byte) }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...70).contains(byte) || (97...102).contains(byte)
    }
}
