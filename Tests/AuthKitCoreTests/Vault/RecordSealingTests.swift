import AuthKitTesting
import Testing

@testable import AuthKitCore

/// What a sealed part is bound to.
@Suite struct RecordSealingTests {
    private let sealing: RecordSealing
    private let record: SealedRecord
    private static let secret: [UInt8] = [1, 2, 3]

    init() throws {
        let storeID = [UInt8](repeating: 1, count: 16)
        let keys = try (2...3).map { number in
            try DataKey(
                id: [UInt8](repeating: UInt8(number), count: 16),
                storeID: storeID,
                unwrapped: SecretBytes(copying: [UInt8](repeating: 9, count: 64))
            )
        }
        sealing = RecordSealing(storeID: storeID, keys: Dictionary(uniqueKeysWithValues: keys.map { ($0.id, $0) }))
        var record = SealedRecord(
            key: try #require(RecordKey(bytes: [UInt8](repeating: 4, count: 32))),
            version: RecordVersion(incarnation: try .draw(), revision: 5),
            keyID: keys[0].id,
            issuerHash: [UInt8](repeating: 6, count: 32),
            due: WallTime(seconds: 7),
            metadata: [],
            payload: []
        )
        record.metadata = try sealing.seal(Self.secret, as: .metadata, of: record)
        record.payload = try sealing.seal(Self.secret, as: .payload, of: record)
        self.record = record
    }

    private func isRefused(_ part: SealedPart, of record: SealedRecord, by other: RecordSealing? = nil) -> Bool {
        do {
            _ = try (other ?? sealing).open(part, of: record, named: "work")
            return false
        } catch {
            return (error as? VaultError)?.code == .tampered
        }
    }

    @Test(
        arguments: [SealedPart.metadata, .payload],
        ["key", "incarnation", "revision", "key id", "issuer", "due", "no due"]
    )
    func `each part is bound to every column beside it`(_ part: SealedPart, _ column: String) throws {
        #expect(try sealing.open(part, of: record, named: "work") == Self.secret)
        var changed = record
        switch column {
        case "key": changed.key = .header
        case "incarnation": changed.version = RecordVersion(incarnation: try .draw(), revision: 5)
        case "revision": changed.version = RecordVersion(incarnation: record.version.incarnation, revision: 6)
        // Another id of the same key bytes, in the column and in the blob.
        case "key id":
            changed.keyID = [UInt8](repeating: 3, count: 16)
            changed.metadata.replaceSubrange(4..<20, with: changed.keyID)
            changed.payload.replaceSubrange(4..<20, with: changed.keyID)
        case "issuer": changed.issuerHash[31] ^= 1
        case "due": changed.due = WallTime(seconds: 8)
        default: changed.due = nil
        }
        #expect(isRefused(part, of: changed))
    }

    @Test func `a part does not stand for the other, whatever it calls itself`() {
        var changed = record
        (changed.metadata, changed.payload) = (record.payload, record.metadata)
        #expect(isRefused(.metadata, of: changed) && isRefused(.payload, of: changed))
        changed.metadata[3] = SealedPart.metadata.rawValue
        changed.payload[3] = SealedPart.payload.rawValue
        #expect(isRefused(.metadata, of: changed) && isRefused(.payload, of: changed))
    }

    @Test func `a part of another store is refused`() {
        let other = RecordSealing(storeID: [UInt8](repeating: 8, count: 16), keys: sealing.keys)
        #expect(isRefused(.payload, of: record, by: other))
    }

    @Test func `a part that was cut short anywhere is refused`() {
        for count in 0..<record.payload.count {
            var changed = record
            changed.payload = Array(record.payload.prefix(count))
            #expect(isRefused(.payload, of: changed))
        }
    }

    @Test func `each byte of the head is looked at`() {
        for index in 0..<48 {
            var changed = record
            changed.payload[index] ^= 1
            #expect(isRefused(.payload, of: changed))
        }
    }

    @Test func `the payload is bound to the sealed metadata beside it`() throws {
        for index in record.metadata.indices {
            var changed = record
            changed.metadata[index] ^= 1
            #expect(isRefused(.payload, of: changed), "byte \(index)")
        }
        var other = record
        other.metadata = try sealing.seal(Self.secret, as: .metadata, of: record)
        #expect(try sealing.open(.metadata, of: other, named: "work") == Self.secret)
        #expect(isRefused(.payload, of: other))
        other.metadata = []
        #expect(isRefused(.payload, of: other))
    }
}
