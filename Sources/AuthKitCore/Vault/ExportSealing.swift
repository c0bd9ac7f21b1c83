/// How an export file is sealed: one key from a passphrase, chunks in order, nothing left out.
///
/// The file is a head (`AKEX`, format 1, salt 16, n 8, r 4, p 4; numbers big-endian), then chunks: kind 1, length 4, and
/// AES-256-GCM ciphertext with its tag. The nonce is the chunk's number, which the key never sees twice since each
/// file has a salt of its own. The associated data binds head, number and kind, so that chunks changed, moved, left out
/// or added are refused. The first chunk proves the passphrase; the last one says how many records there were.
final class ExportSealing: Sendable {
    /// What a chunk is.
    enum Kind: UInt8, Sendable {
        /// Proves the passphrase: a fixed text.
        case check = 0
        /// A credential.
        case record = 1
        /// The end: the number of records.
        case end = 2
    }

    /// Bytes of a head.
    static let headCount = 37
    /// Bytes before a chunk's ciphertext.
    static let chunkHeadCount = 5
    /// A chunk's ciphertext may not be longer.
    static let chunkLimit = Vault.credentialLimit + 1024

    private static let magic = Array("AKEX".utf8)
    private static let format: UInt8 = 1
    private static let checkText = Array("authkit/export/1".utf8)

    /// What the file begins with.
    let head: [UInt8]
    private let key: SecretBytes

    private init(head: [UInt8], salt: [UInt8], cost: ScryptCost, passphrase: borrowing SecretBytes) throws {
        guard passphrase.count > 0 else {
            throw VaultError(.keyUnavailable, "The passphrase of the export is empty; give one.")
        }
        self.head = head
        key = try HKDF.derive(
            from: cost.key(from: passphrase, salt: salt),
            salt: salt,
            info: Self.checkText,
            count: 32
        )
    }

    /// Begins a new file.
    static func make(_ passphrase: borrowing SecretBytes, cost: ScryptCost) throws -> ExportSealing {
        let salt = try Random.bytes(16)
        let head = magic + [format] + salt + cost.n.bigEndianBytes + cost.r.bigEndianBytes + cost.p.bigEndianBytes
        return try ExportSealing(head: head, salt: salt, cost: cost, passphrase: passphrase)
    }

    /// Takes the head of a file; throws `export_damaged` for something else and `newer_format`.
    static func read(_ head: [UInt8], _ passphrase: borrowing SecretBytes, named name: String) throws -> ExportSealing {
        guard head.count == headCount, Array(head.prefix(4)) == magic else {
            throw VaultError(.exportDamaged, "\(name) is no export of AuthKit; name the file that was meant.")
        }
        guard head[4] == format else {
            throw VaultError(.newerFormat, "\(name) was written by a newer version of AuthKit; update this one.")
        }
        let cost = ScryptCost(
            n: UInt64(bigEndian: head[21..<29]),
            r: UInt32(truncatingIfNeeded: UInt64(bigEndian: head[29..<33])),
            p: UInt32(truncatingIfNeeded: UInt64(bigEndian: head[33..<37]))
        )
        guard cost.isAcceptable else { throw damaged(name) }
        return try ExportSealing(head: head, salt: Array(head[5..<21]), cost: cost, passphrase: passphrase)
    }

    /// The first chunk.
    func check() throws -> [UInt8] { try chunk(.check, number: 0, Self.checkText) }

    /// Opens the first chunk; throws `wrong_key` when the passphrase is another.
    func require(check sealed: [UInt8], named name: String) throws {
        guard let text = try? open(sealed, as: .check, number: 0, named: name), text == Self.checkText else {
            throw VaultError(
                .wrongKey,
                "The passphrase does not open \(name), or its first bytes were changed; give the one that it was made with."
            )
        }
    }

    /// A whole chunk.
    func chunk(_ kind: Kind, number: UInt64, _ plaintext: [UInt8]) throws -> [UInt8] {
        let sealed = try AESGCM(.aes256).seal(
            plaintext,
            key: key,
            nonce: nonce(number),
            authenticating: context(kind, number)
        )
        return [kind.rawValue] + UInt32(sealed.count).bigEndianBytes + sealed
    }

    /// Opens a chunk's ciphertext; throws `export_damaged`.
    func open(_ sealed: [UInt8], as kind: Kind, number: UInt64, named name: String) throws -> [UInt8] {
        do {
            return try AESGCM(.aes256).open(
                sealed,
                key: key,
                nonce: nonce(number),
                authenticating: context(kind, number)
            )
        } catch {
            throw Self.damaged(name)
        }
    }

    /// The error for a file that is not what was written.
    static func damaged(_ name: String) -> VaultError {
        VaultError(.exportDamaged, "\(name) was cut short or changed, so it cannot be trusted; use another copy.")
    }

    private func nonce(_ number: UInt64) -> [UInt8] {
        [UInt8](repeating: 0, count: AESGCM.nonceCount - 8) + number.bigEndianBytes
    }

    private func context(_ kind: Kind, _ number: UInt64) -> [UInt8] {
        LengthPrefixed.bytes([head, [kind.rawValue], number.bigEndianBytes])
    }
}

extension FixedWidthInteger {
    /// The bytes, the highest first.
    var bigEndianBytes: [UInt8] {
        stride(from: Self.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> Self($0)) }
    }
}

extension UInt64 {
    /// Reads up to eight bytes, the highest first.
    init(bigEndian bytes: some Sequence<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
