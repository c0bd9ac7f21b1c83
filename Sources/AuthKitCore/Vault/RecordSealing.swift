/// The record format, the same in every store.
///
/// A blob is `AK`, format 1, the part, 16 bytes of key id, 16 of salt, 12 of nonce, then AES-256-GCM ciphertext and
/// tag. The associated data binds store id, record key, incarnation, revision, key id, issuer hash, due time, part and
/// format: a record that was edited, moved or mixed with another is refused.
/// A whole older row that is put back is not noticed: it is what was sealed, and nothing outside it counts revisions.
struct RecordSealing: Sendable {
    private static let prefix: [UInt8] = [UInt8(ascii: "A"), UInt8(ascii: "K"), 1]
    private static let headCount = 48

    /// Which store it is.
    let storeID: [UInt8]
    /// The data keys by id.
    let keys: [[UInt8]: DataKey]

    /// Seals one part of a record whose clear columns are final.
    func seal(_ plaintext: [UInt8], as part: SealedPart, of record: SealedRecord) throws -> [UInt8] {
        guard let key = keys[record.keyID] else { throw Self.unknownKey(record.key.description) }
        let salt = try Random.bytes(16)
        let nonce = try Random.bytes(12)
        let sealed = try AESGCM(.aes256).seal(
            plaintext,
            key: try key.partKey(part, salt: salt, record: record.key),
            nonce: nonce,
            authenticating: context(of: part, record)
        )
        return Self.prefix + [part.rawValue] + record.keyID + salt + nonce + sealed
    }

    /// Opens one part; throws `tampered`, naming the record by `name`.
    func open(_ part: SealedPart, of record: SealedRecord, named name: String) throws -> [UInt8] {
        let blob = part == .payload ? record.payload : record.metadata
        guard let key = keys[record.keyID] else { throw Self.unknownKey(name) }
        guard blob.count >= Self.headCount + 16, Array(blob.prefix(4)) == Self.prefix + [part.rawValue],
            Array(blob[4..<20]) == record.keyID
        else { throw Self.tampered(name) }
        let partKey = try key.partKey(part, salt: Array(blob[20..<36]), record: record.key)
        do {
            return try AESGCM(.aes256).open(
                Array(blob[Self.headCount...]),
                key: partKey,
                nonce: Array(blob[36..<Self.headCount]),
                authenticating: context(of: part, record)
            )
        } catch {
            throw Self.tampered(name)
        }
    }

    private func context(of part: SealedPart, _ record: SealedRecord) -> [UInt8] {
        LengthPrefixed.bytes([
            Self.prefix, [part.rawValue], storeID, record.key.bytes, record.version.incarnation.bytes,
            Self.bigEndian(record.version.revision), record.keyID, record.issuerHash,
            record.due.map { Self.bigEndian($0.seconds) } ?? [],
        ])
    }

    private static func bigEndian(_ number: Int64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> Int64($0)) }
    }

    /// The error for a record that does not open.
    static func tampered(_ name: String) -> VaultError {
        VaultError(
            .tampered,
            "The stored record of \(name) was changed by something else; sign in again to replace it."
        )
    }

    private static func unknownKey(_ name: String) -> VaultError {
        VaultError(
            .tampered,
            "The stored record of \(name) names a key that this store does not have; sign in again to replace it."
        )
    }
}
