import Testing

@testable import AuthKitCore

/// What a data key makes of names, and how much of it is kept.
@Suite struct CredentialNamesTests {
    private func key(_ byte: UInt8) throws -> DataKey {
        try DataKey(
            id: [UInt8](repeating: byte, count: 16),
            storeID: [UInt8](repeating: 1, count: 16),
            unwrapped: SecretBytes(copying: [UInt8](repeating: byte, count: 64))
        )
    }

    @Test func `names are the same each time, and others for other credentials and keys`() throws {
        let (key, other) = (try key(1), try key(2))
        let (id, second) = (VaultFixture.id("one"), VaultFixture.id("two"))
        let again = try self.key(1)
        #expect(try key.recordKey(for: id) == again.recordKey(for: id))
        #expect(try key.recordKey(for: id) == key.recordKey(for: id))
        #expect(try key.leaseKey(for: id) == again.leaseKey(for: id))
        #expect(try key.issuerHash(for: id) == key.issuerHash(for: second))
        let all = try [
            key.recordKey(for: id), key.leaseKey(for: id), key.recordKey(for: second), other.recordKey(for: id),
        ]
        #expect(Set(all).count == 4)
    }

    @Test func `names that Unicode holds for equal stay apart`() throws {
        let key = try key(1)
        let (one, other) = (VaultFixture.id("caf\u{E9}"), VaultFixture.id("cafe\u{301}"))
        #expect(one == other)
        #expect(try key.recordKey(for: one) != key.recordKey(for: other))
        #expect(try key.leaseKey(for: one) != key.leaseKey(for: other))
    }

    @Test func `no more than the limit are kept`() throws {
        let key = try key(1)
        let names = CredentialNames(record: .header, lease: try key.gateKey(), issuer: [])
        var table = CredentialNames.Table()
        for number in 0..<3 * CredentialNames.Table.limit {
            let name = VaultFixture.id("\(number)").canonicalBytes
            table.add(names, for: name)
            #expect(table[name]?.lease == names.lease)
            #expect(table.count <= CredentialNames.Table.limit)
        }
    }
}
