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

    @Test func `a payload of format 1 is read, if the metadata beside it opens`() throws {
        var old = record
        old.payload = try Self.firstFormat(Self.secret, record, try #require(sealing.keys[record.keyID]))
        #expect(try sealing.open(.payload, of: old, named: "work") == Self.secret)
        var changed = old
        changed.metadata[old.metadata.count - 1] ^= 1
        #expect(isRefused(.payload, of: changed))
        // One format does not stand for the other.
        for payload in [old.payload, record.payload] {
            changed = old
            changed.payload = payload
            changed.payload[2] ^= 3
            #expect(isRefused(.payload, of: changed))
        }
    }

    /// A payload as it was sealed before the metadata was bound to it.
    private static func firstFormat(_ plaintext: [UInt8], _ record: SealedRecord, _ key: DataKey) throws -> [UInt8] {
        let (salt, nonce) = ([UInt8](repeating: 1, count: 16), [UInt8](repeating: 2, count: 12))
        let prefix: [UInt8] = [UInt8(ascii: "A"), UInt8(ascii: "K"), 1]
        var context: [UInt8] = []
        LengthPrefixed.append(prefix, to: &context)
        LengthPrefixed.append([SealedPart.payload.rawValue], to: &context)
        LengthPrefixed.append([UInt8](repeating: 1, count: 16), to: &context)
        LengthPrefixed.append(record.key.bytes, to: &context)
        LengthPrefixed.append(record.version.incarnation.bytes, to: &context)
        LengthPrefixed.append(record.version.revision, to: &context)
        LengthPrefixed.append(record.keyID, to: &context)
        LengthPrefixed.append(record.issuerHash, to: &context)
        LengthPrefixed.append(try #require(record.due).seconds, to: &context)
        let sealed = try AESGCM(.aes256).seal(
            plaintext,
            key: try key.partKey(.payload, salt: salt, record: record.key),
            nonce: nonce,
            authenticating: context
        )
        return prefix + [SealedPart.payload.rawValue] + record.keyID + salt + nonce + sealed
    }
}
