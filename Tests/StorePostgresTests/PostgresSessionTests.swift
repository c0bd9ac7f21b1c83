#if Postgres
import AuthKitCore
import PostgresTestServer
import StorePostgres
import StoreTestSupport
import Testing

/// Sessions and workers over the store, at an issuer that takes each refresh token once.
@Suite(.enabled("PostgreSQL can be started here") { await PrivateServer.isAvailable }, .timeLimit(.minutes(2)))
struct PostgresSessionTests {
    @Test func `a session renews over the store, and one on another machine has what it saved`() async throws {
        let address = try await StoreBench.freshAddress()
        let rig = try await RefreshRig(try await StoreBench.open(address))
        let issued = try await rig.session().token()
        #expect(issued.refreshed)
        #expect(issued.token.value.reveal() == "access-2")
        let other = try await StoreBench.open(address)
        #expect(try await rig.storedToken(on: other) == "refresh-2")
        let there = try await rig.session(on: other).token()
        #expect(!there.refreshed)
        #expect(there.token.value.reveal() == "access-2")
        #expect(rig.issuer.reuses == 0)
    }

    @Test func `sessions of many machines make one refresh of it`() async throws {
        let address = try await StoreBench.freshAddress()
        let rig = try await RefreshRig(try await StoreBench.open(address))
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<6 {
                let session = try await rig.session(on: try await StoreBench.open(address))
                for _ in 0..<5 {
                    group.addTask { try await session.token().token.value.reveal() }
                }
            }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(tokens == [String](repeating: "access-2", count: 30))
        #expect(rig.issuer.reuses == 0)
        #expect(try await rig.storedToken() == "refresh-2")
    }

    @Test func `an answer that comes while the server crashes is stored once it is back`() async throws {
        let server = try await PrivateServer.start()
        let address = try await StoreBench.freshAddress(at: server.address)
        let issuer = RotatingIssuer {
            try await server.obey("crash")
            try await server.obey("start")
        }
        let store = try await StoreBench.open(address) { $0.reconnectLimit = .seconds(60) }
        let rig = try await RefreshRig(store, issuer: issuer)
        let issued = try await rig.session().token()
        #expect(issued.token.value.reveal() == "access-2")
        #expect(!issued.isUnsaved)
        let other = try await StoreBench.open(address)
        #expect(try await rig.storedToken(on: other) == "refresh-2")
        #expect(issuer.reuses == 0)
        await store.close()
        await other.close()
        try await server.end()
    }

    @Test func `two workers renew what is due, each credential once, and let be what is not`() async throws {
        let address = try await StoreBench.freshAddress()
        let issuer = NumberedIssuer()
        let vault = try await CredentialBatch.vault(try await StoreBench.open(address))
        let (dueNow, dueLater) = (0..<40, 40..<44)
        let now = SystemTime().now.wall
        for number in 0..<44 {
            let due: WallTime = dueNow.contains(number) ? now - .seconds(1) : now + .seconds(3600)
            try await vault.save(try CredentialBatch.make(number), replacing: nil, due: due)
        }
        var workers: [RefreshWorker] = []
        for _ in 0..<2 {
            var options = RefreshWorker.Options()
            options.batch = 4
            options.pollInterval = .milliseconds(100)
            let machine = try await CredentialBatch.vault(try await StoreBench.open(address))
            workers.append(try RefreshWorker(vault: machine, options: options) { _ in issuer })
        }
        let runs = workers.map { worker in Task { await worker.run() } }
        for _ in 0..<3000 where issuer.sends.count < dueNow.count { try await Task.sleep(for: .milliseconds(10)) }
        for worker in workers { await worker.drain() }
        for run in runs { await run.value }

        #expect(issuer.sends.count == dueNow.count)
        #expect(issuer.sends.values.allSatisfy { $0 == 1 })
        var (renewed, late) = (0, 0)
        for worker in workers {
            let counts = await worker.counts
            renewed += counts.renewed
            late += counts.late
        }
        #expect(renewed == dueNow.count)
        #expect(late == 0)
        for number in 0..<44 {
            let credential = try await vault.load(CredentialBatch.id(number))?.credential
            let generation = dueLater.contains(number) ? 1 : 2
            #expect(credential?.refreshToken?.value.reveal() == "\(number)-\(generation)")
            #expect(credential?.accessTokens[.primary]?.value.reveal() == "access-\(number)-\(generation)")
            #expect(credential?.intents.isEmpty == true)
        }
        // Each was saved with its next due time: nothing is left to claim.
        let store = try await StoreBench.open(address)
        #expect(try await store.claimDue(before: nil, limit: 100, for: .zero).isEmpty)
    }
}
#endif
