@testable import AuthKitCore
import AuthKitTesting
import Testing

/// Every byte that a store keeps of a credential, changed one at a time.
@Suite(.timeLimit(.minutes(2))) struct RecordTamperTests {
    private let store = InMemoryStore()
    private let id = VaultFixture.id("work")

    private func filled(token: String) async throws -> (vault: Vault, record: SealedRecord) {
        let vault = try await VaultFixture.open(store)
        try await vault.save(try VaultFixture.credential("other"), replacing: nil)
        try await vault.save(try VaultFixture.credential("work", token), replacing: nil, due: WallTime(seconds: 77))
        return (vault, try #require(await store.load(try vault.ring.current.recordKey(for: id))))
    }

    /// Puts a changed record in the place of the one that is there.
    private func put(_ record: SealedRecord, over old: SealedRecord) async throws {
        try await store.purge(old.key, expecting: old.version)
        try await store.save(record, replacing: nil, under: nil)
    }

    /// Whether the tokens are refused, by name; whether the metadata is; and that the other credential is unharmed.
    private func refusals(_ vault: Vault) async throws -> (tokens: Bool, metadata: Bool) {
        let id = id
        let load = await detail { try await vault.load(id) }
        let summary = await detail { try await vault.summary(of: id) }
        #expect(try await vault.load(VaultFixture.id("other")) != nil)
        let listing = try await vault.listing()
        #expect(listing.summaries.contains { $0.id.slot == "other" })
        #expect(listing.damaged.isEmpty == (summary == nil))
        #expect(listing.summaries.contains { $0.id == id } == (summary == nil))
        return (load?.contains("work") == true, summary?.contains("work") == true)
    }

    /// The sentence of the refusal; nil for none.
    private func detail(_ work: () async throws -> some Any) async -> String? {
        do {
            _ = try await work()
            return nil
        } catch {
            return (error as? VaultError)?.code == .tampered ? "\(error)" : nil
        }
    }

    @Test(arguments: [1, 0x80] as [UInt8])
    func `any byte of the sealed parts is refused by name`(_ flip: UInt8) async throws {
        let (vault, record) = try await filled(token: "t")
        var last = record
        for index in record.payload.indices {
            var changed = record
            changed.payload[index] ^= flip
            try await put(changed, over: last)
            last = changed
            let refused = try await refusals(vault)
            #expect(refused.tokens && !refused.metadata, "payload \(index)")
        }
        for index in record.metadata.indices {
            var changed = record
            changed.metadata[index] ^= flip
            try await put(changed, over: last)
            last = changed
            let refused = try await refusals(vault)
            // Whoever opens the tokens has checked the whole record.
            #expect(refused.tokens && refused.metadata, "metadata \(index)")
        }
        try await put(record, over: last)
        #expect(try await vault.load(id)?.version == record.version)
    }

    @Test func `any byte of the clear columns is refused by name`() async throws {
        let (vault, record) = try await filled(token: "t")
        var changes: [SealedRecord] = []
        func add(_ change: (inout SealedRecord) -> Void) {
            var changed = record
            change(&changed)
            changes.append(changed)
        }
        for index in 0..<16 {
            var bytes = record.version.incarnation.bytes
            bytes[index] ^= 1
            let incarnation = try #require(Incarnation(bytes: bytes))
            add { $0.version = RecordVersion(incarnation: incarnation, revision: record.version.revision) }
            add { $0.keyID[index] ^= 1 }
        }
        for index in 0..<32 { add { $0.issuerHash[index] ^= 1 } }
        for bit in 0..<63 {
            let number = Int64(1) << Int64(bit)
            let incarnation = record.version.incarnation
            add { $0.version = RecordVersion(incarnation: incarnation, revision: record.version.revision ^ number) }
            // Seconds are what is bound and kept; a duration cannot hold the highest.
            if bit < 62 { add { $0.due = WallTime(seconds: 77 ^ number) } }
        }
        add { $0.due = nil }
        add { $0.keyID = [] }
        add { $0.issuerHash = [] }
        var last = record
        for (number, changed) in changes.enumerated() {
            try await put(changed, over: last)
            last = changed
            let refused = try await refusals(vault)
            #expect(refused.tokens && refused.metadata, "change \(number)")
        }
    }

    @Test func `a record at another key is no credential, and is told`() async throws {
        let (vault, record) = try await filled(token: "t")
        var last = record
        for index in 0..<32 {
            var bytes = record.key.bytes
            bytes[index] ^= 1
            var changed = record
            changed.key = try #require(RecordKey(bytes: bytes))
            try await put(changed, over: last)
            last = changed
            #expect(try await vault.load(id) == nil)
            #expect(try await vault.listing().damaged == [changed.key])
            let moved = changed
            #expect(await vaultCode { try await vault.open(moved) } == .tampered)
        }
    }

    @Test(arguments: [64 << 10, 1 << 20])
    func `a long record is refused wherever it was changed`(_ size: Int) async throws {
        let (vault, record) = try await filled(token: String(repeating: "t", count: size))
        var last = record
        let step = record.payload.count / 97
        for index in [0, 47, 48, record.payload.count - 17, record.payload.count - 1]
            + Array(stride(from: 49, to: record.payload.count, by: step))
        {
            var changed = record
            changed.payload[index] ^= 4
            try await put(changed, over: last)
            last = changed
            let id = id
            #expect(await vaultCode { try await vault.load(id) } == .tampered)
        }
        for count in [0, 16, 48, 64, record.payload.count / 2, record.payload.count - 1] {
            var changed = record
            changed.payload = Array(record.payload.prefix(count))
            try await put(changed, over: last)
            last = changed
            let id = id
            #expect(await vaultCode { try await vault.load(id) } == .tampered)
        }
        try await put(record, over: last)
        #expect(try await vault.load(id)?.credential.refreshToken?.value.reveal().utf8.count == size)
    }

    @Test func `any byte of the header is refused`() async throws {
        let (vault, _) = try await filled(token: "t")
        for isChanging in [false, true] {
            if isChanging {
                let step = StepStore(store, .dieAfter(1))
                let dying = try await VaultFixture.open(step)
                #expect(await storeCode { try await dying.rekeyData() } == .inputOutput)
            }
            let header = try #require(await store.load(.header))
            var changes: [SealedRecord] = []
            for index in header.metadata.indices {
                var changed = header
                changed.metadata[index] ^= 1
                changes.append(changed)
            }
            for index in header.keyID.indices {
                var changed = header
                changed.keyID[index] ^= 1
                changes.append(changed)
            }
            var dated = header
            dated.due = WallTime(seconds: 1)
            var filled = header
            filled.payload = [0]
            for (number, changed) in (changes + [dated, filled]).enumerated() {
                try await store.save(changed, replacing: header.version, under: nil)
                let store = store
                let code = await vaultCode { try await VaultFixture.open(store) }
                #expect(code == .tampered || code == .wrongKey || code == .otherKeySource, "change \(number)")
            }
            try await store.save(header, replacing: header.version, under: nil)
            #expect(try await vault.load(id) != nil)
        }
    }

    @Test func `which of two keys seals cannot be exchanged`() async throws {
        _ = try await filled(token: "t")
        let step = StepStore(store, .dieAfter(1))
        let dying = try await VaultFixture.open(step)
        #expect(await storeCode { try await dying.rekeyData() } == .inputOutput)
        let record = try #require(await store.load(.header))
        var header = try VaultHeader(record)
        header.current = try #require(header.keys.first { $0.id != header.current }).id
        let store = store
        try await store.save(
            try header.record(revision: record.version.revision),
            replacing: record.version,
            under: nil
        )
        #expect(await vaultCode { try await VaultFixture.open(store) } == .wrongKey)
        header.keys.removeAll { $0.id != header.current }
        try await store.save(
            try header.record(revision: record.version.revision),
            replacing: record.version,
            under: nil
        )
        #expect(await vaultCode { try await VaultFixture.open(store) } == .wrongKey)
    }
}
