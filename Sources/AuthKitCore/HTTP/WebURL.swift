/// An absolute `http` or `https` URL, kept as written: nothing is normalised, so what is compared is what was configured.
///
/// Refused: other schemes, user names and passwords, missing hosts, characters outside RFC 3986, bad escapes, ports
/// beyond 65535. Fragments are refused too, since no URL of ours has one. Issuers are compared as strings and never
/// go through this type (OpenID Connect Discovery §4.3).
public struct WebURL: Sendable, Hashable {
    /// The URL as written.
    public let text: String
    /// `http` or `https`.
    public let scheme: String
    /// The host in lower case, an IPv6 literal without its brackets.
    public let host: String
    /// The port, that of the scheme where none is written.
    public let port: Int
    /// The path as written, empty where there is none.
    public let path: String
    /// The query as written, without its question mark.
    public let query: String?

    /// Reads a URL; nil when it is refused.
    public init?(_ text: String) {
        guard text.utf8.count <= 65_536, text.utf8.allSatisfy(Self.isAllowed), Self.escapesAreWhole(text),
            let colon = text.firstIndex(of: ":")
        else { return nil }
        let scheme = text[..<colon].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        var rest = text[text.index(after: colon)...]
        guard rest.hasPrefix("//") else { return nil }
        rest = rest.dropFirst(2)
        guard !rest.contains("#") else { return nil }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        rest = rest.dropFirst(authority.count)
        guard !authority.contains("@"), let (host, port) = Self.hostAndPort(authority) else { return nil }
        self.text = text
        self.scheme = scheme
        self.host = host
        self.port = port ?? (scheme == "https" ? 443 : 80)
        let path = rest.prefix { $0 != "?" }
        self.path = String(path)
        let query = rest.dropFirst(path.count)
        self.query = query.isEmpty ? nil : String(query.dropFirst())
    }

    /// Scheme, host and port: what redirects and credentials must not leave.
    public var origin: String { "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    /// Whether the host is 127.0.0.0/8, ::1 or `localhost`.
    public var isLoopback: Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { part in
                part.allSatisfy(\.isNumber) && (part.count == 1 || part.first != "0") && (UInt8(part) != nil)
            }
    }

    /// Whether it may be asked: `https`, or `http` on loopback.
    public var isSecureOrLoopback: Bool { scheme == "https" || isLoopback }

    /// The query's parameters, decoded, in order; nil for a bad escape.
    public var queryParameters: [(name: String, value: String)]? { FormEncoding.decode(query ?? "") }

    /// Adds parameters behind those that are there already (RFC 6749 §3.1: the endpoint's own query is kept).
    public func adding(_ parameters: [FormParameter]) -> WebURL? {
        guard !parameters.isEmpty else { return self }
        let added = parameters.map {
            "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))"
        }
        let separator = query == nil ? "?" : (query?.isEmpty == true || query?.hasSuffix("&") == true ? "" : "&")
        return WebURL(text + separator + added.joined(separator: "&"))
    }

    private static func hostAndPort(_ authority: Substring) -> (host: String, port: Int?)? {
        var host = authority
        var port: Substring?
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[authority.index(after: authority.startIndex)..<end]
            let rest = authority[authority.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":"), host.contains(":"),
                host.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." })
            else { return nil }
            port = rest.isEmpty ? nil : rest.dropFirst()
        } else if let colon = authority.firstIndex(of: ":") {
            host = authority[..<colon]
            port = authority[authority.index(after: colon)...]
            guard !host.isEmpty else { return nil }
        }
        guard !host.isEmpty, host.utf8.count <= 255, !host.contains("["), !host.contains("]") else { return nil }
        guard let port else { return (host.lowercased(), nil) }
        guard port.count <= 5, port.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(port), number <= 65_535
        else { return nil }
        return (host.lowercased(), number)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            "-._~:/?#[]@!$&'()*+,;=%".utf8.contains(byte)
        }
    }

    private static func escapesAreWhole(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst()
        return parts.allSatisfy { part in
            part.count >= 2 && part.prefix(2).allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
        }
    }
}

extension WebURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL without the values of its query: those may be codes or tokens.
    public var description: String {
        guard let query, !query.isEmpty else { return text }
        // A part without an equals sign is a value as much as a name.
        let names = query.split(separator: "&").map { $0.contains("=") ? $0.prefix { $0 != "=" } + "=…" : "…" }
        return text.prefix(text.count - query.count) + names.joined(separator: "&")
    }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// A mirror without children, so that `dump` shows no values of the query.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
