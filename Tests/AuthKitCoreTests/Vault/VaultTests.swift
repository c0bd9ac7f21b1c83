@testable import AuthKitCore
import AuthKitTesting
import Testing

@Suite struct VaultTests {
    static let key = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    private let id = CredentialID(provider: .oidc, issuer: "https://i.example", client: "c", slot: "work")

    private func open(_ store: any TokenStore, key: String = key) async throws -> Vault {
        try await Vault.open(store, keySource: EnvironmentKey(name: "K") { _ in key })
    }

    private func credential(slot: String = "work") throws -> StoredCredential {
        let id = CredentialID(provider: .oidc, issuer: "https://i.example", client: "c", slot: slot)
        var credential = StoredCredential(id: id, incarnation: try .draw(), state: .signedIn)
        let now = Moment(wall: WallTime(seconds: 1_800_000_000), sinceBoot: .seconds(5), boot: "b")
        credential.account = Account(issuer: "https://i.example", subject: "s-1", displayName: "Zoë \"Q\"")
        credential.refreshToken = HeldToken(Secret("SECRET-refresh"), expiry: .never)
        credential.idToken = HeldToken(Secret("SECRET-id"), expiry: .at(WallTime(seconds: 9_999_999_999)))
        credential.accessTokens[.primary] = HeldToken(
            Secret("SECRET-access"),
            type: "DPoP",
            expiry: .after(.milliseconds(3_599_999), from: now).orEarlier(at: WallTime(seconds: 1_800_003_600)),
            scope: Scope("openid profile")
        )
        let narrow = AccessTokenKey(audience: "https://api", scope: Scope("read"), resources: ["https://r"])
        credential.accessTokens[narrow] = HeldToken(Secret("SECRET-narrow"))
        credential.companions["session"] = HeldToken(Secret("SECRET-companion"))
        credential.keys["dpop"] = Secret("SECRET-key")
        credential.attributes["instance"] = "SECRET-attribute"
        credential.grantedScope = Scope("openid profile")
        credential.intents[TokenFingerprint(of: Secret("x"))] = Intent(sends: 1, at: now.wall)
        credential.problem = Problem(code: "http_503", message: "Busy.", at: now.wall)
        credential.signedInAt = now.wall
        credential.renewedAt = now
        return credential
    }

    @Test func `what is saved is what is loaded`() async throws {
        let vault = try await open(InMemoryStore())
        let credential = try credential()
        let version = try await vault.save(credential, replacing: nil)
        #expect(try await vault.load(id) == VaultEntry(credential: credential, version: version))
        // A record that is made again is newer than all that were there before.
        let second = try await vault.save(credential, replacing: version)
        #expect(second.revision == version.revision + 1)
        try await vault.purge(id, expecting: second)
        #expect(try await vault.save(credential, replacing: nil).revision > second.revision)
    }

    @Test func `a 64 KiB token is normal and one of a mebibyte is accepted`() async throws {
        let vault = try await open(InMemoryStore())
        for size in [64 << 10, 1 << 20] {
            var credential = try credential(slot: "big-\(size)")
            credential.accessTokens[.primary] = HeldToken(Secret(String(repeating: "t", count: size)))
            try await vault.save(credential, replacing: nil)
            let loaded = try await vault.load(credential.id)
            #expect(loaded?.credential == credential)
        }
    }

    @Test func `a store sees no name, issuer, account or token`() async throws {
        let store = InMemoryStore()
        let vault = try await open(store)
        try await vault.save(try credential(), replacing: nil)
        let record = try #require(await store.list(after: nil, limit: 10).first)
        let whole = try #require(await store.load(record.key))
        let bytes = String(decoding: whole.metadata + whole.payload + whole.key.bytes + whole.issuerHash, as: UTF8.self)
        for word in ["SECRET", "work", "i.example", "s-1", "openid"] { #expect(!bytes.contains(word)) }
    }

    @Test func `listing opens metadata alone and shows no token`() async throws {
        let store = InMemoryStore()
        let vault = try await open(store)
        try await vault.save(try credential(slot: "b"), replacing: nil)
        try await vault.save(try credential(slot: "a"), replacing: nil)
        let listing = try await vault.listing()
        #expect(listing.summaries.map(\.id.slot) == ["a", "b"])
        #expect(listing.damaged.isEmpty)
        let summary = try #require(listing.summaries.first)
        #expect(summary.account?.subject == "s-1")
        #expect(summary.hasOpenIntent)
        #expect(summary.tokens.map(\.kind) == ["access", "access https://api", "refresh", "id", "session"])
        var shown = ""
        dump(summary, to: &shown)
        #expect(!shown.contains("SECRET"))
    }

    @Test func `any bit of a stored record that is flipped is noticed, and the others stay usable`() async throws {
        let store = InMemoryStore()
        let vault = try await open(store)
        let other = try credential(slot: "other")
        try await vault.save(other, replacing: nil)
        try await vault.save(try credential(), replacing: nil)
        let records = try await store.list(after: nil, limit: 10)
        for var record in records.compactMap({ $0 }) {
            record = try #require(await store.load(record.key))
            for index in stride(from: 0, to: record.payload.count, by: 7) {
                var changed = record
                changed.payload[index] ^= 1
                try await store.purge(record.key, expecting: record.version)
                try await store.save(changed, replacing: nil, under: nil)
                let broken = try? await vault.load(id)
                let intact = try? await vault.load(other.id)
                #expect((broken == nil) != (intact == nil))
            }
            try await store.purge(record.key, expecting: record.version)
            try await store.save(record, replacing: nil, under: nil)
        }
    }

    @Test(arguments: ["incarnation", "revision", "due", "issuer", "swap", "metadata"])
    func `a record that was edited, moved or mixed with another is refused`(_ change: String) async throws {
        let store = InMemoryStore()
        let vault = try await open(store)
        try await vault.save(try credential(slot: "other"), replacing: nil)
        try await vault.save(try credential(), replacing: nil)
        let other = try await record(of: "other", in: store, vault)
        let mine = try await record(of: "work", in: store, vault)
        var changed = mine
        switch change {
        case "incarnation": changed.version = RecordVersion(incarnation: try .draw(), revision: 1)
        case "revision": changed.version = RecordVersion(incarnation: mine.version.incarnation, revision: 7)
        case "due": changed.due = WallTime(seconds: 1)
        case "issuer": changed.issuerHash[0] ^= 1
        case "swap": changed.payload = other.payload
        default: changed.payload = mine.metadata
        }
        try await store.purge(mine.key, expecting: mine.version)
        try await store.save(changed, replacing: nil, under: nil)
        await #expect { try await vault.load(id) } throws: { ($0 as? VaultError)?.code == .tampered }
        let error = await #expect(throws: VaultError.self) { try await vault.load(id) }
        #expect(error?.detail.contains("work") == true)
        #expect(try await vault.load(named("other")) != nil)
    }

    @Test func `a wrong key opens nothing and is told`() async throws {
        let store = InMemoryStore()
        _ = try await open(store)
        let wrong = "BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        await #expect { try await open(store, key: wrong) } throws: { ($0 as? VaultError)?.code == .wrongKey }
        await #expect { try await open(store, key: "short") } throws: { ($0 as? VaultError)?.code == .keyUnavailable }
        await #expect { try await open(store, key: "") } throws: { ($0 as? VaultError)?.code == .keyUnavailable }
    }

    @Test func `another kind of key source is told by name`() async throws {
        let store = InMemoryStore()
        _ = try await open(store)
        let source = Passphrase(insecureCost: 1024) { SecretBytes(copying: Array("pass".utf8)) }
        await #expect { try await Vault.open(store, keySource: source) } throws: {
            ($0 as? VaultError)?.code == .otherKeySource
        }
    }

    @Test func `a passphrase opens what it sealed and a wrong one does not`() async throws {
        let store = InMemoryStore()
        let right = Passphrase(insecureCost: 1024) { SecretBytes(copying: Array("correct horse".utf8)) }
        let vault = try await Vault.open(store, keySource: right)
        try await vault.save(try credential(), replacing: nil)
        #expect(try await Vault.open(store, keySource: right).load(id) != nil)
        let wrong = Passphrase(insecureCost: 1024) { SecretBytes(copying: Array("correct horsf".utf8)) }
        await #expect { try await Vault.open(store, keySource: wrong) } throws: {
            ($0 as? VaultError)?.code == .wrongKey
        }
    }

    @Test func `records without a header are refused, not overwritten`() async throws {
        let store = InMemoryStore()
        let vault = try await open(store)
        try await vault.save(try credential(), replacing: nil)
        let header = try #require(await store.load(.header))
        try await store.purge(.header, expecting: header.version)
        await #expect { try await open(store) } throws: { ($0 as? VaultError)?.code == .headerMissing }
    }

    @Test func `sixteen first uses at once end with one header`() async throws {
        let store = InMemoryStore()
        let ids = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<16 { group.addTask { try await open(store).storeID } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
    }

    @Test func `the leasing key outlives everything that names records`() async throws {
        // Two openings of one store lease the same bytes; two stores do not share record keys.
        let store = InMemoryStore()
        let lease = try await open(store).lease(id, for: .refresh, waiting: .zero)
        await #expect { try await open(store).lease(id, for: .refresh, waiting: .zero) } throws: {
            ($0 as? StoreError)?.code == .busy
        }
        await lease.release()
    }

    private func named(_ slot: String) -> CredentialID {
        CredentialID(provider: .oidc, issuer: "https://i.example", client: "c", slot: slot)
    }

    private func record(of slot: String, in store: InMemoryStore, _ vault: Vault) async throws -> SealedRecord {
        let version = try await vault.version(of: named(slot))
        for record in try await store.list(after: nil, limit: 10) where record.version == version {
            return try #require(await store.load(record.key))
        }
        throw StoreError(.corrupt, "The record is missing.")
    }
}
