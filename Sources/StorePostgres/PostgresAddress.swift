#if Postgres
internal import AuthKitCore
internal import CPostgres

/// Where a server is and how to sign in to it: a connection string, whose passwords no text shows.
struct PostgresAddress: Sendable {
    /// The string as given.
    let text: Secret
    /// Server and database in words, without user or password.
    let place: String
    private let hasSecret: Bool

    /// Reads a connection string; throws `invalid_configuration` when libpq cannot, without quoting it.
    init(_ text: String, library: PostgresLibrary) throws(StoreError) {
        guard !text.utf8.contains(0), let options = Self.options(of: text, library: library) else {
            throw StoreError(
                .misconfigured,
                "The address of the PostgreSQL store cannot be read; write it as postgres://USER@HOST/DATABASE."
            )
        }
        self.text = Secret(text)
        hasSecret = options.contains { $0.isSecret && !$0.value.isEmpty }
        let values = Dictionary(options.map { ($0.keyword, $0.value) }) { first, _ in first }
        // An @ in a host is most likely a password with an unescaped one: nothing of it is shown.
        let hosts = [values["host"], values["hostaddr"]].compactMap { $0 }.filter { !$0.isEmpty }
        let host = hosts.first ?? "the local socket"
        let port = values["port"].flatMap { UInt16($0) }.map { ":\($0)" } ?? ""
        place = host.contains("@") ? "the server in its address" : host + port
    }

    /// What may be shown of a text of libpq's or the server's: nothing, where a secret is in the address.
    ///
    /// Not the text without the secret, which would show where it was, nor the text if the secret is not in it, which
    /// would tell that it is. What stands in the wrong part of an address is seen by an `@`.
    func quotable(_ text: String) -> String { hasSecret || text.contains("@") ? "" : text }

    private struct Option {
        let keyword: String
        let value: String
        let isSecret: Bool
    }

    private static func options(of text: String, library: PostgresLibrary) -> [Option]? {
        let api = unsafe library.api
        var message: UnsafeMutablePointer<CChar>?
        let list = unsafe text.withCString { unsafe api.pointee.parse_address($0, &message) }
        if let message = unsafe message { unsafe api.pointee.free_memory(message) }
        guard let list = unsafe list else { return nil }
        defer { unsafe api.pointee.free_options(list) }
        var found: [Option] = []
        var next = unsafe list
        while let keyword = unsafe next.pointee.keyword {
            if let value = unsafe next.pointee.val {
                found.append(
                    Option(
                        keyword: unsafe String(cString: keyword),
                        value: unsafe String(cString: value),
                        isSecret: unsafe ak_pq_is_secret(next) != 0
                    )
                )
            }
            unsafe next += 1
        }
        return found
    }
}
#endif
