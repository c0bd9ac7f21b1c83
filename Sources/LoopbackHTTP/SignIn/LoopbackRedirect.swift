import AuthKitCore

/// A redirect URI that a server on this machine can receive (RFC 8252 §7.3).
struct LoopbackRedirect: Sendable {
    /// The URI as configured.
    let text: String
    /// The port to listen on, 0 for a free one.
    let port: UInt16
    /// The addresses to listen on: `localhost` may resolve to either, so it needs both.
    let families: LoopbackFamilies
    /// The path as written, `/` where there is none.
    let path: String
    /// The host as written in a URI.
    let host: String
    private let rest: Substring

    /// Reads a URI; nil unless it is `http` on 127.0.0.1, [::1] or localhost.
    init?(_ text: String) {
        guard let url = WebURL(text), url.scheme == "http", let port = UInt16(exactly: url.port) else { return nil }
        switch url.host {
        case "127.0.0.1": (families, host) = (.v4, url.host)
        case "::1": (families, host) = (.v6, "[::1]")
        case "localhost": (families, host) = (.both, url.host)
        default: return nil
        }
        self.text = text
        self.port = port
        path = url.path.isEmpty ? "/" : url.path
        rest = text.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" && $0 != "?" }
    }

    /// The URI to send: as configured, with the real port in the place of 0.
    func uri(port real: UInt16) -> String { port == 0 ? "http://\(host):\(real)\(rest)" : text }

    /// The `Host` fields of requests that were really meant for it (RFC 9110 §7.2).
    func hostFields(port real: UInt16) -> Set<String> {
        real == 80 ? [host, "\(host):80"] : ["\(host):\(real)"]
    }
}
