internal import AuthKitCore

/// One cookie of an answer, as far as it concerns us (RFC 6265 §4.1, §5.2).
struct SetCookie: Sendable {
    /// Its name, in lower case: the vendor's clients compare it without case.
    let name: String
    /// Its value, without quotes around it.
    let value: String
    /// The domain and path that it replaces an earlier one under.
    let place: String
    /// When it ends, where it says.
    let end: End?

    /// When a cookie ends.
    enum End: Sendable, Hashable {
        /// It is deleted.
        case deleted
        /// At a time, on the server's clock.
        case at(WallTime)
    }

    /// The cookies of an answer, in order, those that were folded into one field included.
    ///
    /// Folding is forbidden (RFC 6265 §3) and done all the same. A comma begins a cookie where a name and an equals sign
    /// follow it; one in a date or a path does not.
    static func all(of response: HTTPResponse) -> [SetCookie] {
        let now = response.fields.first(named: "date").flatMap(HTTPDate.parse) ?? response.receivedAt.wall
        return response.fields.all(named: "set-cookie").flatMap(unfolded).compactMap { SetCookie($0, at: now) }
    }

    /// Reads one cookie; nil for one without a name.
    private init?(_ text: String, at now: WallTime) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
        guard let pair = parts.first, let equals = pair.firstIndex(of: "=") else { return nil }
        let name = pair[..<equals].trimmingSpaces().lowercased()
        guard !name.isEmpty else { return nil }
        var value = pair[pair.index(after: equals)...].trimmingSpaces()
        let isQuoted = value.count >= 2 && value.hasPrefix("\"") && value.hasSuffix("\"")
        if isQuoted { value = String(value.dropFirst().dropLast()) }
        var (domain, path): (String, String) = ("", "")
        var (expires, maxAge): (End?, End?) = (nil, nil)
        for part in parts.dropFirst() {
            let attribute = part.prefix { $0 != "=" }
            let text = part.dropFirst(attribute.count + 1).trimmingSpaces()
            switch attribute.trimmingSpaces().lowercased() {
            case "domain": domain = text.lowercased()
            case "path": path = text
            case "expires": expires = HTTPDate.parse(text).map { $0 <= now ? .deleted : .at($0) } ?? expires
            case "max-age": maxAge = Self.end(maxAge: text, from: now) ?? maxAge
            default: break
            }
        }
        self.name = name
        self.value = value
        place = "\(domain) \(path)"
        // RFC 6265 §4.1.2.2: Max-Age goes before Expires.
        end = value.isEmpty ? .deleted : maxAge ?? expires
    }

    /// RFC 6265 §5.2.2: digits, or a minus and digits; anything else is ignored.
    private static func end(maxAge text: String, from now: WallTime) -> End? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        guard !text.hasPrefix("-"), let seconds = Int64(digits) ?? Int64(exactly: 1 << 40), seconds > 0 else {
            return .deleted
        }
        return .at(now + .seconds(min(seconds, 1 << 40)))
    }

    private static func unfolded(_ field: String) -> [String] {
        var cookies: [String] = []
        var current = ""
        for piece in field.split(separator: ",", omittingEmptySubsequences: false) {
            if !current.isEmpty, beginsCookie(piece) {
                cookies.append(current)
                current = String(piece)
            } else {
                current += (current.isEmpty ? "" : ",") + piece
            }
        }
        return cookies + [current]
    }

    /// Whether what follows a comma is a name and an equals sign, before anything else ends it.
    private static func beginsCookie(_ piece: Substring) -> Bool {
        let name = piece.trimmingSpaces().prefix { $0 != "=" && $0 != ";" }
        guard !name.isEmpty, name.utf8.count < piece.trimmingSpaces().utf8.count else { return false }
        guard piece.trimmingSpaces().dropFirst(name.count).first == "=" else { return false }
        // RFC 9110 §5.6.2: a token.
        return name.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                || "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
