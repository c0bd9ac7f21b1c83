@testable import AuthKitCore
import AuthKitTesting
import Foundation
import Testing

/// One sealed file with everything, out of one store and into another.
@Suite(.timeLimit(.minutes(2))) struct ExportTests {
    private static let cost = ScryptCost(n: 1024, r: 8, p: 1)

    private func passphrase(_ text: String = "correct horse") -> SecretBytes { SecretBytes(copying: Array(text.utf8)) }

    private func filled() async throws -> Vault {
        let vault = try await VaultFixture.open(InMemoryStore())
        for slot in ["a", "b"] {
            try await vault.save(try VaultFixture.credential(slot), replacing: nil, due: WallTime(seconds: 77))
        }
        var tombstone = try VaultFixture.credential("gone")
        tombstone.state = .signedOut
        tombstone.refreshToken = nil
        try await vault.save(tombstone, replacing: nil)
        try await vault.save(try VaultFixture.credential("big", String(repeating: "t", count: 1 << 20)), replacing: nil)
        return vault
    }

    private func export(_ vault: Vault, _ path: String) async throws -> ExportReport {
        try await vault.export(to: path, passphrase: passphrase(), insecureCost: Self.cost)
    }

    @Test func `what was exported is imported, tombstones and due times too`() async throws {
        try await withPlace { place in
            let vault = try await filled()
            let path = "\(place)/export"
            #expect(try await export(vault, path) == ExportReport(exported: 4, damaged: []))
            #expect(try mode(path) == 0o600)
            let target = try await VaultFixture.open(InMemoryStore(), key: 7)
            let counts = Guarded<[Int]>([])
            let report = try await target.importCredentials(from: path, passphrase: passphrase()) { count in
                counts.withLock { $0.append(count) }
            }
            #expect(report.added == 4)
            #expect(report.replaced + report.kept == 0)
            #expect(counts.withLock { $0 } == [1, 2, 3, 4])
            for slot in ["a", "b", "gone", "big"] {
                let id = VaultFixture.id(slot)
                #expect(try await target.load(id)?.credential == vault.load(id)?.credential)
                #expect(try await target.summary(of: id)?.due == vault.summary(of: id)?.due)
            }
        }
    }

    @Test func `no name and no token is in the file`() async throws {
        try await withPlace { place in
            _ = try await export(try await filled(), "\(place)/export")
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(place)/export"))
            for word in ["i.example", "oidc", "tttttttt", "refresh", "correct"] {
                #expect(bytes.range(of: Data(word.utf8)) == nil)
            }
        }
    }

    @Test func `what is here already is kept, a tombstone too, unless it is to be replaced`() async throws {
        try await withPlace { place in
            let vault = try await filled()
            let path = "\(place)/export"
            _ = try await export(vault, path)
            let mine = try #require(await vault.load(VaultFixture.id("a")))
            let tombstone = StoredCredential(id: mine.credential.id, incarnation: try .draw(), state: .signedOut)
            let version = try await vault.save(tombstone, replacing: mine.version)
            let report = try await vault.importCredentials(from: path, passphrase: passphrase())
            #expect(report.kept == 4)
            #expect(report.added + report.replaced == 0)
            #expect(try await vault.load(mine.credential.id)?.credential == tombstone)
            let second = try await vault.importCredentials(from: path, passphrase: passphrase(), replacing: true)
            #expect(second.replaced == 1)
            #expect(second.kept == 3)
            let entry = try #require(await vault.load(mine.credential.id))
            #expect(entry.credential.refreshToken == mine.credential.refreshToken)
            #expect(entry.version.revision == version.revision + 1)
            // A renewal that began in the exported life must not take this one for its own.
            #expect(entry.credential.incarnation != mine.credential.incarnation)
        }
    }

    @Test func `a file that is there is never written over`() async throws {
        try await withPlace { place in
            let vault = try await filled()
            let path = "\(place)/export"
            #expect(FileManager.default.createFile(atPath: path, contents: Data("mine".utf8)))
            #expect(await storeCode { try await export(vault, path) } == .cannotCreate)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("mine".utf8))
            // A name that is taken while the export is written stays its owner's.
            let late = try ExportFile.create("\(place)/late")
            try await late.write(Array("sealed".utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: place).allSatisfy { $0 != "late" })
            #expect(FileManager.default.createFile(atPath: "\(place)/late", contents: Data("mine".utf8)))
            #expect(await storeCode { try await late.finish() } == .cannotCreate)
            await late.discard()
            #expect(try Data(contentsOf: URL(fileURLWithPath: "\(place)/late")) == Data("mine".utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: place).sorted() == ["export", "late"])
        }
    }

    @Test func `what is no file is refused as something that cannot be read`() async throws {
        try await withPlace { place in
            let vault = try await filled()
            try #require(unsafe mkfifo("\(place)/pipe", 0o600) == 0)
            for path in [place, "\(place)/pipe", "/dev/zero", "\(place)/none"] {
                let code = await storeCode {
                    try await vault.importCredentials(from: path, passphrase: passphrase())
                }
                #expect(code == .inputOutput, "\(path)")
            }
        }
    }

    @Test func `an export that fails leaves no file`() async throws {
        try await withPlace { place in
            let store = InMemoryStore()
            let vault = try await VaultFixture.open(store)
            let step = StepStore(store, .dieAfter(1))
            let dying = try await VaultFixture.open(step)
            try await vault.save(try VaultFixture.credential("a"), replacing: nil)
            #expect(
                await storeCode { try await dying.save(try VaultFixture.credential("b"), replacing: nil) }
                    == .inputOutput
            )
            #expect(await storeCode { try await export(dying, "\(place)/export") } == .inputOutput)
            #expect(try FileManager.default.contentsOfDirectory(atPath: place).isEmpty)
        }
    }

    @Test func `another passphrase opens nothing`() async throws {
        try await withPlace { place in
            let path = "\(place)/export"
            let vault = try await filled()
            _ = try await export(vault, path)
            for text in ["correct horsf", "x"] {
                let other = passphrase(text)
                let code = await vaultCode { try await vault.importCredentials(from: path, passphrase: other) }
                #expect(code == .wrongKey)
            }
            let empty = passphrase("")
            let code = await vaultCode { try await vault.importCredentials(from: path, passphrase: empty) }
            #expect(code == .keyUnavailable)
        }
    }

    @Test func `a file that was changed anywhere imports nothing`() async throws {
        try await withPlace { place in
            let vault = try await VaultFixture.open(InMemoryStore())
            try await vault.save(try VaultFixture.credential("a"), replacing: nil)
            _ = try await export(vault, "\(place)/export")
            let whole = try [UInt8](Data(contentsOf: URL(fileURLWithPath: "\(place)/export")))
            let target = try await VaultFixture.open(InMemoryStore())
            let path = "\(place)/changed"
            for index in whole.indices {
                var changed = whole
                changed[index] ^= 1
                try Data(changed).write(to: URL(fileURLWithPath: path))
                let code = await vaultCode { try await target.importCredentials(from: path, passphrase: passphrase()) }
                #expect(code == .exportDamaged || code == .wrongKey || code == .newerFormat, "byte \(index)")
            }
            #expect(try await target.listing().summaries.isEmpty)
        }
    }

    @Test func `a file that was cut short, added to or mixed imports nothing`() async throws {
        try await withPlace { place in
            let vault = try await VaultFixture.open(InMemoryStore())
            for slot in ["a", "b"] { try await vault.save(try VaultFixture.credential(slot), replacing: nil) }
            _ = try await export(vault, "\(place)/export")
            let whole = try [UInt8](Data(contentsOf: URL(fileURLWithPath: "\(place)/export")))
            let target = try await VaultFixture.open(InMemoryStore())
            var files = stride(from: 0, to: whole.count, by: 7).map { Array(whole.prefix($0)) }
            files += [Array(whole.dropLast()), whole + [0], whole + whole]
            // Chunks left out, exchanged, or told twice.
            let parts = chunks(whole)
            #expect(parts.count == 5)
            for order in [
                [0, 1, 2, 4], [0, 1, 3, 2, 4], [0, 1, 2, 2, 3, 4], [0, 1, 4], [0, 2, 3, 4], [0, 1, 2, 3],
            ] {
                files.append(order.flatMap { parts[$0] })
            }
            for (number, file) in files.enumerated() {
                let path = "\(place)/changed"
                try Data(file).write(to: URL(fileURLWithPath: path))
                let code = await vaultCode { try await target.importCredentials(from: path, passphrase: passphrase()) }
                #expect(code == .exportDamaged, "file \(number)")
            }
            #expect(try await target.listing().summaries.isEmpty)
        }
    }

    @Test func `what does not open is left out and told`() async throws {
        try await withPlace { place in
            let store = InMemoryStore()
            let vault = try await VaultFixture.open(store)
            for slot in ["a", "b"] { try await vault.save(try VaultFixture.credential(slot), replacing: nil) }
            var record = try #require(await store.load(try vault.ring.current.recordKey(for: VaultFixture.id("a"))))
            record.payload[50] ^= 1
            try await store.save(record, replacing: record.version, under: nil)
            #expect(try await export(vault, "\(place)/export") == ExportReport(exported: 1, damaged: [record.key]))
        }
    }

    @Test func `each credential is exported once while a change of the data key is cut short`() async throws {
        for number in 1...6 {
            try await withPlace { place in
                let store = InMemoryStore()
                let vault = try await VaultFixture.open(store)
                for slot in ["a", "b"] { try await vault.save(try VaultFixture.credential(slot), replacing: nil) }
                let dying = try await VaultFixture.open(StepStore(store, .dieAfter(number)))
                #expect(await storeCode { try await dying.rekeyData() } == .inputOutput)
                #expect(try await export(vault, "\(place)/export").exported == 2)
                let target = try await VaultFixture.open(InMemoryStore())
                #expect(
                    try await target.importCredentials(from: "\(place)/export", passphrase: passphrase()).added == 2
                )
            }
        }
    }

    /// The head and the chunks of a file.
    private func chunks(_ whole: [UInt8]) -> [[UInt8]] {
        var parts = [Array(whole.prefix(37))]
        var index = 37
        while index < whole.count {
            let count = whole[index + 1..<index + 5].reduce(0) { $0 << 8 | Int($1) }
            parts.append(Array(whole[index..<index + 5 + count]))
            index += 5 + count
        }
        return parts
    }
}
