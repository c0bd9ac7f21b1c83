/// One data key of a store with what is derived from it; wiped when the last user lets go.
final class DataKey: Sendable {
    /// Names it: 16 bytes.
    let id: [UInt8]
    private let storeID: [UInt8]
    private let sealing: SecretBytes
    private let naming: SecretBytes
    private let leasing: SecretBytes
    /// What the keys of all records' parts are derived for, up to the record.
    private let metadataUse: [UInt8]
    private let payloadUse: [UInt8]
    private let names = Guarded(CredentialNames.Table())

    /// Bytes of a data key and the leasing key that is wrapped with it and outlives it.
    static let wrappedCount = 64

    /// Bytes of the data key itself, which are drawn anew when it is changed.
    static let ownCount = 32

    /// Splits what was unwrapped: 32 bytes of data key, then 32 bytes of leasing key.
    init(id: [UInt8], storeID: [UInt8], unwrapped: consuming SecretBytes) throws {
        self.id = id
        self.storeID = storeID
        var (front, back) = unsafe unwrapped.withUnsafeBytes { bytes in
            unsafe (Array(bytes.prefix(32)), Array(bytes.dropFirst(32)))
        }
        let root = SecretBytes(wiping: &front)
        leasing = SecretBytes(wiping: &back)
        naming = try HKDF.derive(from: root, salt: storeID, info: Array("authkit/names/1".utf8), count: 32)
        sealing = root
        let use = { (part: SealedPart) in
            LengthPrefixed.bytes([Array("authkit/part/1".utf8), [part.rawValue], storeID])
        }
        (metadataUse, payloadUse) = (use(.metadata), use(.payload))
    }

    /// Where a credential's record lies.
    func recordKey(for id: CredentialID) throws -> RecordKey { try names(of: id).record }

    /// What a credential's lease is taken on: the same under every data key of the store.
    func leaseKey(for id: CredentialID) throws -> RecordKey { try names(of: id).lease }

    /// What is leased, for `maintenance`, while a record is made or the key that new records are sealed by is changed.
    func gateKey() throws -> RecordKey {
        try key(of: "gate", [], with: leasing)
    }

    /// A keyed hash of the issuer, for limits per issuer.
    func issuerHash(for id: CredentialID) throws -> [UInt8] { try names(of: id).issuer }

    private func names(of id: CredentialID) throws -> CredentialNames {
        let bytes = id.canonicalBytes
        if let known = names.withLock({ $0[bytes] }) { return known }
        let made = CredentialNames(
            record: try key(of: "credential", bytes, with: naming),
            lease: try key(of: "lease", bytes, with: leasing),
            issuer: try key(of: "issuer", Array(id.issuer.utf8), with: naming).bytes
        )
        names.withLock { $0.add(made, for: bytes) }
        return made
    }

    /// The key of one sealed part, from a salt of its own.
    func partKey(_ part: SealedPart, salt: [UInt8], record: RecordKey) throws -> SecretBytes {
        var info = part == .metadata ? metadataUse : payloadUse
        LengthPrefixed.append(record.bytes, to: &info)
        return try HKDF.derive(from: sealing, salt: salt, info: info, count: 32)
    }

    private func key(of use: String, _ bytes: [UInt8], with secret: borrowing SecretBytes) throws -> RecordKey {
        let code = try HMAC.code(
            of: LengthPrefixed.bytes([Array(use.utf8), bytes]),
            key: secret,
            digest: .sha256
        )
        guard let key = RecordKey(bytes: code) else {
            throw VaultError(.tampered, "A keyed hash came out short; check the installed libcrypto.")
        }
        return key
    }
}
