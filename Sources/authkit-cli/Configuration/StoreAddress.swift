/// Names a store.
enum StoreAddress: Sendable, Hashable {
    /// A SQLite file.
    case sqlite(String)
    /// A directory with a file for each record.
    case file(String)
    /// A PostgreSQL database; its address may hold a password.
    case postgres(String)
    /// Memory: gone with the process.
    case memory

    /// Reads `sqlite:PATH`, `file:DIR`, `postgres://…` or `memory:`; `absolute` makes a path absolute.
    ///
    /// `place` is what an error names: the flag or variable that it came from.
    init(_ text: String, from place: String, absolute: (String) -> String) throws(CommandFailure) {
        if text == "memory:" {
            self = .memory
            return
        }
        // An address may contain a password: of one that is not known only the kind is named.
        let kind = String(text.prefix { $0 != ":" && $0 != "/" })
        switch kind {
        case "sqlite", "file":
            let path = String(text.dropFirst(kind.count + 1))
            guard !path.isEmpty, !path.utf8.contains(0), text.dropFirst(kind.count).first == ":" else {
                throw .configuration(
                    "\(place) names no \(kind == "file" ? "directory" : "file"); write \(kind):PATH.",
                    code: "unknown_store"
                )
            }
            self = kind == "file" ? .file(absolute(path)) : .sqlite(absolute(path))
        case "postgres", "postgresql":
            #if Postgres
            self = .postgres(text)
            #else
            throw .configuration(
                "\(place) names a PostgreSQL store, which this build leaves out; build with --traits Postgres.",
                code: "unknown_store"
            )
            #endif
        default:
            throw .configuration(
                "\(place) names a store of kind \(SafeText.quoted(kind)), which this build does not know; "
                    + "use sqlite:PATH, file:DIR, postgres://… or memory:.",
                code: "unknown_store"
            )
        }
    }

    /// The address as written; of a database only where it is.
    var text: String {
        switch self {
        case .sqlite(let path): "sqlite:\(path)"
        case .file(let path): "file:\(path)"
        case .postgres(let address): Self.withoutSecrets(address)
        case .memory: "memory:"
        }
    }

    /// The file or directory that it is kept in, where it is kept in one.
    var path: String? {
        switch self {
        case .sqlite(let path), .file(let path): path
        case .postgres, .memory: nil
        }
    }

    /// A database's address without user, password and options; its kind alone where it is not plain what is which.
    ///
    /// A password may hold any of the characters that end it, escaped or not: what is told looks like a host, a port
    /// and a name, and nothing stands where a part of a password could have been taken for it.
    private static func withoutSecrets(_ address: String) -> String {
        let unknown = "postgres:"
        let scheme = ["postgres://", "postgresql://"].first { address.hasPrefix($0) }
        guard let scheme else { return unknown }
        let rest = address.dropFirst(scheme.count)
        let place = rest.prefix { $0 != "?" && $0 != "#" }
        // An @ behind that: a password with an unescaped ? or #, or one among the options.
        guard !rest[place.endIndex...].contains("@") else { return unknown }
        // The last @ ends the password, which may hold others, and slashes.
        let plain = place.split(separator: "@", omittingEmptySubsequences: false).last ?? place
        let parts = plain.split(separator: "/", omittingEmptySubsequences: false)
        let (hosts, database) = (parts[0], parts.count > 1 ? parts[1] : "")
        guard parts.count <= 2, hosts.split(separator: ",").allSatisfy(isHost), database.utf8.allSatisfy(isPlain) else {
            return unknown
        }
        return "postgres://\(hosts)" + (database.isEmpty ? "" : "/\(database)")
    }

    /// Whether a text can be a host, with a port or without.
    private static func isHost(_ text: Substring) -> Bool {
        var name = text
        if let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") {
            let port = text[text.index(after: colon)...]
            guard port.utf8.count <= 5, port.utf8.allSatisfy({ (48...57).contains($0) }) else { return false }
            name = text[..<colon]
        }
        guard name.hasPrefix("["), name.hasSuffix("]") else { return name.utf8.allSatisfy(isPlain) }
        // RFC 3986 §3.2.2: an IPv6 address stands in brackets.
        return name.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
    }

    /// Whether a byte may stand in a host's or a database's name as people write them; an escaped slash in a socket's.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122: true
        default: "-._%".utf8.contains(byte)
        }
    }
}
