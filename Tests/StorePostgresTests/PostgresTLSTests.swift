#if Postgres
import AuthKitCore
import PostgresTestServer
import StorePostgres
import Testing

/// TLS as the connection string asks for it: libpq checks, and what it says is told.
@Suite(.enabled("PostgreSQL can be started here") { await PrivateServer.isAvailable }, .timeLimit(.minutes(2)))
struct PostgresTLSTests {
    /// An address that must not be let in.
    struct Refusal: Sendable {
        let host: String
        let mode: String
        var isStrangerTrusted = false
        let code: StoreError.Code
        let word: String
    }

    static let refusals = [
        Refusal(
            host: "localhost",
            mode: "verify-full",
            isStrangerTrusted: true,
            code: .untrusted,
            word: "certificate verify failed"
        ),
        Refusal(host: "127.0.0.1", mode: "verify-full", code: .untrusted, word: "does not match host name"),
        Refusal(host: "localhost", mode: "disable", code: .misconfigured, word: "no encryption"),
    ]

    private static let server = Task { try await PrivateServer.start(withTLS: true) }

    /// The server's address by a name that its certificate has or has not, whatever that resolves to.
    private static func address(
        _ host: String,
        _ mode: String,
        isStrangerTrusted: Bool = false
    ) async throws -> String {
        let server = try await Self.server.value
        let place = await server.address.replacing("@127.0.0.1", with: "@\(host)")
        let trusted = await isStrangerTrusted ? server.stranger : server.authority
        return "\(place)?hostaddr=127.0.0.1&sslmode=\(mode)&sslrootcert=\(trusted)"
    }

    @Test func `a server whose certificate is by the authority in the address is used, under TLS`() async throws {
        let address = try await Self.address("localhost", "verify-full")
        let store = try await StoreBench.open(address + "&application_name=sealed")
        let record = try StoreBench.record()
        try await store.save(record, replacing: nil, under: nil)
        #expect(try await store.load(record.key) == record)
        let sealed = """
            SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
            WHERE application_name = 'sealed'
            """
        #expect(try await execute(sealed, at: address) == "t")
        await store.close()
    }

    @Test(arguments: refusals)
    func `another authority, another name, and no TLS at all are refused as such`(_ refusal: Refusal) async throws {
        let address = try await Self.address(
            refusal.host,
            refusal.mode,
            isStrangerTrusted: refusal.isStrangerTrusted
        )
        let password = String(try #require(address.split(separator: "@").first?.split(separator: ":").last))
        let error = await storeError { _ = try await StoreBench.open(address) }
        #expect(error?.code == refusal.code)
        #expect(error?.detail.contains(refusal.word) == true, "\(error as Any)")
        #expect(error.map { "\($0) \($0.cause as Any)".contains(password) } == false)
    }
}
#endif
