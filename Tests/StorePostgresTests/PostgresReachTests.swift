#if Postgres
import AuthKitCore
import PostgresTestServer
import StorePostgres
import Testing

/// Servers that are away, restart, or do not let us in.
@Suite(
    .enabled("PostgreSQL can be started here") { await PrivateServer.isAvailable },
    .timeLimit(.minutes(3)),
    .serialized
)
struct PostgresReachTests {
    @Test func `calls wait for a server that restarts, and nothing that was saved is gone`() async throws {
        let server = try await PrivateServer.start()
        let address = try await StoreBench.freshAddress(at: server.address)
        let store = try await StoreBench.open(address) { $0.reconnectLimit = .seconds(60) }
        let record = try StoreBench.record()
        try await store.save(record, replacing: nil, under: nil)
        let lease = try await store.lease(record.key, for: .refresh, waiting: .zero)
        for word in ["stop", "crash"] {
            try await server.obey(word)
            let probe = Task { try await store.probe() }
            try await Task.sleep(for: .milliseconds(300))
            try await server.obey("start")
            try await probe.value
            #expect(try await store.load(record.key) == record)
            // All get their whole time again after a start, so that a restart costs nobody a lease.
            try await lease.confirm()
        }
        let next = try StoreBench.record(revision: 2)
        try await store.save(next, replacing: record.version, under: lease)
        await lease.release()
        await store.close()
        try await server.end()
    }

    @Test func `nobody takes over a lapsed lease until a while after a start`() async throws {
        let server = try await PrivateServer.start()
        let address = try await StoreBench.freshAddress(at: server.address)
        let holder = try await StoreBench.open(address) { $0.leaseDuration = .seconds(2) }
        let lease = try await holder.lease(.header, for: .refresh, waiting: .zero)
        try await server.obey("stop")
        try await Task.sleep(for: .milliseconds(2200))
        try await server.obey("start")
        let other = try await StoreBench.open(address)
        #expect(await code { _ = try await other.lease(.header, for: .refresh, waiting: .zero) } == .busy)
        try await lease.confirm()
        await lease.release()
        try await server.end()
    }

    @Test func `a server that stays away ends a call within the limit, with a word on what to do`() async throws {
        let server = try await PrivateServer.start()
        let address = try await StoreBench.freshAddress(at: server.address)
        let store = try await StoreBench.open(address) { $0.reconnectLimit = .milliseconds(500) }
        try await server.end()
        let start = ContinuousClock.now
        let error = await storeError { try await store.probe() }
        #expect(error?.code == .unavailable)
        #expect(error?.detail.contains("cannot be reached; start it") == true)
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    @Test func `a server that is not there is told at once, without the password`() async throws {
        let start = ContinuousClock.now
        let error = await storeError {
            _ = try await PostgresStore.open("postgres://me:open-sesame@127.0.0.1:1/none")
        }
        #expect(error?.code == .unavailable)
        #expect(error?.detail.contains("127.0.0.1:1") == true)
        #expect(error.map { "\($0) \($0.cause as Any)".contains("sesame") } == false)
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test func `a wrong password, user or database is told as such, without the password`() async throws {
        let server = try await PrivateServer.shared.value.address
        let host = String(try #require(server.split(separator: "@").last))
        let user = String(server.dropLast(host.count + 1))
        let cases = [
            ("postgres://test:open-sesame@\(host)", StoreError.Code.misconfigured, "correct the user or password"),
            ("postgres://nobody:open-sesame@\(host)", .misconfigured, "correct the user or password"),
            ("postgres://test@\(host)", .misconfigured, "asks for a password"),
            ("\(user)@\(host)none", .misconfigured, "no such database"),
            ("\(user)@\(host)?sslmode=require", .untrusted, "does not offer TLS"),
            ("\(user)@\(host)?sslmode=verify-full&sslrootcert=/nowhere", .untrusted, "does not offer TLS"),
            ("\(user)@\(host)?sslmode=sesame", .misconfigured, "a value that libpq does not take"),
            ("\(user)@\(host)?options=-csearch_path%3Dnowhere", .misconfigured, "CREATE SCHEMA"),
            ("postgres://test:open-sesame@nowhere.invalid/x", .unavailable, "cannot be resolved"),
        ]
        for (address, code, advice) in cases {
            let error = await storeError { _ = try await PostgresStore.open(address) }
            #expect(error?.code == code, "\(error as Any)")
            #expect(error?.detail.contains(advice) == true, "\(error as Any)")
            #expect(error.map { "\($0) \($0.cause as Any)".contains("sesame") } == false)
        }
    }

    @Test(arguments: [
        "postgres://me:open-sesame", "host=127.0.0.1 password=open-sesame port",
        "postgres://me:a@open-sesame@127.0.0.1/x",
        "host=127.0.0.1 port=1 password=open-sesame sslpassword=open-sesame", "postgres://me:open-sesame@[::1/x",
        "postgres://me@127.0.0.1:1/x?password=open-sesame&nonsense=1", "host='open-sesame@there' port=1",
    ])
    func `an address that is of no use is not quoted`(_ address: String) async throws {
        let error = await storeError { _ = try await PostgresStore.open(address) }
        #expect(error.map { "\($0) \($0.cause as Any)".contains("sesame") } == false, "\(error as Any)")
    }

    @Test(arguments: ["fail", "p", "connect", "FATAL", "a"])
    func `a password that is part of what is said is not shown by what is left of it`(_ password: String) async throws {
        var details: Set<String> = []
        for secret in [password, "open-sesame"] {
            let error = await storeError {
                _ = try await PostgresStore.open("postgres://kai:\(secret)@127.0.0.1:1/none")
            }
            details.insert(try #require(error?.detail))
        }
        #expect(details.count == 1, "the sentence depends on the password: \(details)")
    }

    @Test func `a user who may not make tables is told what to grant`() async throws {
        let server = try await PrivateServer.shared.value.address
        try await execute("CREATE ROLE guest LOGIN PASSWORD 'guest'", at: server)
        let host = String(try #require(server.split(separator: "@").last))
        let error = await storeError { _ = try await PostgresStore.open("postgres://guest:guest@\(host)") }
        #expect(error?.code == .cannotCreate)
        #expect(error?.detail.contains("GRANT CREATE") == true)
    }
}
#endif
