public import AuthKitCore

/// The address that the sign-in page redirects to: `SCHEME://signin/redirect?refreshToken=…`.
///
/// An app that is handed whole URLs by its system asks `answer(in:)`: scheme, host and path must be exactly these. The
/// vendor's clients look at the scheme at most.
public struct CallbackAddress: Sendable, Hashable {
    /// The largest URL that is looked at, in bytes.
    public static let sizeLimit = 65_536
    private static let parameterLimit = 100

    /// The address without a query, as it is given to a user agent.
    public let text: String

    /// The address of a scheme.
    public init(scheme: String) {
        text = "\(scheme)://signin/redirect"
    }

    /// The parameters of a URL that came; nil when it is not this address with a query, or cannot be read.
    ///
    /// Refused are another scheme, host, port, user or path, a fragment, bad escapes, and more than 100 parameters.
    /// Schemes and hosts are compared without case (RFC 3986 §3.1, §3.2.2), the path is not.
    public func answer(in url: String) -> RedirectAnswer? {
        guard url.utf8.count <= Self.sizeLimit, url.utf8.allSatisfy({ $0 > 32 && $0 < 127 }), !url.contains("#")
        else { return nil }
        let address = url.prefix { $0 != "?" }
        guard address.count < url.count, Self.folded(address) == Self.folded(text[...]),
            let parameters = FormEncoding.decode(url.dropFirst(address.count + 1)),
            parameters.count <= Self.parameterLimit
        else { return nil }
        return RedirectAnswer(parameters: parameters)
    }

    /// Whether a name can be a scheme (RFC 3986 §3.1), and none that belongs to browsers.
    package static func isScheme(_ name: String) -> Bool {
        guard let first = name.utf8.first, isLetter(first), name.utf8.count <= 64 else { return false }
        let isWord = name.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) || "+-.".utf8.contains($0) }
        return isWord && !["http", "https", "file", "javascript", "data", "about", "blob"].contains(name.lowercased())
    }

    /// Scheme and host in lower case, the path as it is.
    private static func folded(_ address: Substring) -> String {
        guard let end = address.firstRange(of: "://")?.upperBound else { return String(address) }
        let slash = address[end...].firstIndex(of: "/") ?? address.endIndex
        return address[..<slash].lowercased() + address[slash...]
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte) || (97...122).contains(byte) }
}
