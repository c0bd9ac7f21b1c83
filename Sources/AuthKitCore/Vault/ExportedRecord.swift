/// One credential as it travels between stores.
struct ExportedRecord: Sendable, Hashable {
    /// What is kept.
    let credential: StoredCredential
    /// When it is due for renewal.
    let due: WallTime?

    /// The plaintext of a chunk: a flag and the due time in seconds, then the payload's plaintext.
    func serialized() -> [UInt8] {
        [due == nil ? 0 : 1] + (due?.seconds ?? 0).bigEndianBytes + credential.serialized()
    }

    /// Reads the plaintext of a chunk.
    init(parsing bytes: [UInt8]) throws {
        guard bytes.count > 9, bytes[0] < 2 else { throw RecordCoding.Unreadable() }
        let seconds = Int64(bitPattern: UInt64(bigEndian: bytes[1..<9]))
        due = bytes[0] == 1 ? WallTime(seconds: seconds) : nil
        credential = try StoredCredential(parsing: Array(bytes[9...]))
    }

    /// Takes a credential.
    init(_ credential: StoredCredential, due: WallTime?) {
        self.credential = credential
        self.due = due
    }
}
