internal import AuthKitCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

extension RecordFolder {
    /// The version of a record for whoever replaces it; nil when there is none.
    ///
    /// A file that cannot be read is told by its error, unless the caller expects just that file.
    func version(
        of key: RecordKey,
        expecting expected: RecordVersion?
    ) throws(StoreError) -> RecordVersion? {
        do throws(StoreError) {
            return try head(key)?.version
        } catch {
            guard error.isDamage, let version = try husk(key)?.version, version == expected else { throw error }
            return version
        }
    }

    /// A record of which only the key is known, in place of a file that cannot be read; nil when there is no file.
    ///
    /// It belongs to no life, and its revision is the microsecond in which the file was changed: what replaces it is
    /// newer than what stood there, whose revision nobody can read any more, and a file that changes meanwhile is
    /// another version.
    func husk(_ key: RecordKey) throws(StoreError) -> SealedRecord? {
        guard let file = try directory.openExisting(Self.name(of: key)) else { return nil }
        guard let none = Incarnation(bytes: [UInt8](repeating: 0, count: 16)) else {
            preconditionFailure("16 bytes make an incarnation")
        }
        return SealedRecord(
            key: key,
            version: RecordVersion(incarnation: none, revision: try Self.microsecond(ofChange: file)),
            keyID: [],
            issuerHash: [],
            due: nil,
            metadata: [],
            payload: []
        )
    }

    private static func microsecond(ofChange file: PrivateFile) throws(StoreError) -> Int64 {
        var status = stat()
        guard unsafe fstat(file.descriptor, &status) == 0 else {
            throw StoreError(.inputOutput, "\(file.path) cannot be inspected (errno \(errno)); check the disk.")
        }
        // The kernel's two words are read as such; see `SystemTime`.
        let (seconds, nanoseconds) = unsafe withUnsafeBytes(of: status.st_mtim) { words in
            unsafe (words.load(as: Int.self), words.load(fromByteOffset: MemoryLayout<Int>.size, as: Int.self))
        }
        // Anybody may give a file any time; what is added to this must not overflow.
        return min(max(Int64(seconds), 0), 1 << 40) * 1_000_000 + Int64(nanoseconds / 1000)
    }
}

extension StoreError {
    /// Whether it tells of one file that cannot be read as a record, which is not to hold up the others.
    ///
    /// One of a newer format counts as such: a store whose records may have that format says so in `format` first, and
    /// is not opened.
    var isDamage: Bool { code == .corrupt || code == .newerFormat }
}
