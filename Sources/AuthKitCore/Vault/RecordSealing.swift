/// The record format, the same in every store.
///
/// A blob is `AK`, a format, the part, 16 bytes of key id, 16 of salt, 12 of nonce, then AES-256-GCM ciphertext and
/// tag. The associated data binds store id, record key, incarnation, revision, key id, issuer hash, due time, part and
/// format: a record that was edited, moved or mixed with another is refused. The payload's binds the sealed metadata as
/// well, so that whoever opens the tokens has checked the whole record.
/// A whole older row that is put back is not noticed: it is what was sealed, and nothing outside it counts revisions.
struct RecordSealing: Sendable {
    private static let mark: [UInt8] = [UInt8(ascii: "A"), UInt8(ascii: "K")]
    private static let format: UInt8 = 3
    private static let headCount = 48
    private static let saltCount = 16

    /// Which store it is.
    let storeID: [UInt8]
    /// The data keys by id.
    let keys: [[UInt8]: DataKey]

    /// Seals one part of a record whose clear columns are final, and for the payload the sealed metadata too.
    func seal(_ plaintext: [UInt8], as part: SealedPart, of record: SealedRecord) throws -> [UInt8] {
        guard let key = keys[record.keyID] else { throw Self.unknownKey(record.key.description) }
        // One draw for both: most of what a draw costs does not depend on its length.
        let drawn = try Random.bytes(Self.saltCount + AESGCM.nonceCount)
        let sealed = try AESGCM(.aes256).seal(
            plaintext,
            key: try key.partKey(part, salt: Array(drawn.prefix(Self.saltCount)), record: record.key),
            nonce: Array(drawn.dropFirst(Self.saltCount)),
            authenticating: context(of: part, record)
        )
        var blob: [UInt8] = []
        blob.reserveCapacity(Self.headCount + sealed.count)
        blob += Self.mark
        blob.append(Self.format)
        blob.append(part.rawValue)
        blob += record.keyID
        blob += drawn
        blob += sealed
        return blob
    }

    /// Opens one part; throws `tampered`, naming the record by `name`.
    func open(
        _ part: SealedPart,
        of record: SealedRecord,
        named name: @autoclosure () -> String
    ) throws -> [UInt8] {
        let blob = part == .payload ? record.payload : record.metadata
        guard let key = keys[record.keyID] else { throw Self.unknownKey(name()) }
        guard blob.count >= Self.headCount + AESGCM.tagCount, blob[0] == Self.mark[0], blob[1] == Self.mark[1],
            blob[2] == Self.format, blob[3] == part.rawValue, Self.names(record.keyID, in: blob.span)
        else { throw Self.tampered(name()) }
        let partKey = try key.partKey(part, salt: Array(blob[20..<36]), record: record.key)
        do {
            return try AESGCM(.aes256).open(
                blob.span.extracting(droppingFirst: Self.headCount),
                key: partKey,
                nonce: Array(blob[36..<Self.headCount]),
                authenticating: context(of: part, record)
            )
        } catch {
            throw Self.tampered(name())
        }
    }

    /// Whether a blob's head names a key.
    private static func names(_ keyID: [UInt8], in blob: Span<UInt8>) -> Bool {
        blob.extracting(4..<20).isEqual(to: keyID.span)
    }

    private func context(of part: SealedPart, _ record: SealedRecord) -> [UInt8] {
        let bindsMetadata = part == .payload
        var context: [UInt8] = []
        context.reserveCapacity(192 + (bindsMetadata ? record.metadata.count : 0))
        LengthPrefixed.append(Self.mark + CollectionOfOne(Self.format), to: &context)
        LengthPrefixed.append(CollectionOfOne(part.rawValue), to: &context)
        LengthPrefixed.append(storeID, to: &context)
        LengthPrefixed.append(record.key.bytes, to: &context)
        LengthPrefixed.append(record.version.incarnation.bytes, to: &context)
        LengthPrefixed.append(record.version.revision, to: &context)
        LengthPrefixed.append(record.keyID, to: &context)
        LengthPrefixed.append(record.issuerHash, to: &context)
        if let due = record.due {
            LengthPrefixed.append(due.seconds, to: &context)
        } else {
            LengthPrefixed.append(EmptyCollection(), to: &context)
        }
        if bindsMetadata { LengthPrefixed.append(record.metadata, to: &context) }
        return context
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
