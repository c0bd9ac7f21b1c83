/// Names a store.
enum StoreAddress: Sendable, Hashable {
    /// A SQLite file.
    case sqlite(String)
    /// Memory: gone with the process.
    case memory

    /// Reads `sqlite:PATH` or `memory:`; `absolute` makes a path absolute.
    init(_ text: String, flagged: Bool, absolute: (String) -> String) throws(CommandFailure) {
        if text == "memory:" {
            self = .memory
            return
        }
        let place = flagged ? "--store" : "AUTHKIT_STORE"
        guard text != "sqlite:" else {
            throw .configuration("\(place) names no file; write sqlite:PATH.", code: "unknown_store")
        }
        let path = text.hasPrefix("sqlite:") ? String(text.dropFirst(7)) : ""
        guard !path.isEmpty, !path.utf8.contains(0) else {
            // An address may contain a password: only its kind is named.
            let kind = SafeText.quoted(String(text.prefix { $0 != ":" && $0 != "/" }))
            throw .configuration(
                "\(place) names a store of kind \(kind), which this build does not know; use sqlite:PATH or memory:.",
                code: "unknown_store"
            )
        }
        self = .sqlite(absolute(path))
    }

    /// The address as written.
    var text: String {
        switch self {
        case .sqlite(let path): "sqlite:\(path)"
        case .memory: "memory:"
        }
    }
}
