internal import AuthKitCore

/// The file of one record: `AKRF`, a format, then the columns with the length of each before it, the payload last.
///
/// The metadata stands before the payload, so that a list reads the front of each file only. Nothing is checked here
/// that the sealing checks: a file that was cut, or that is something else, is told; one that was edited does not open.
enum RecordFile {
    /// Why bytes are no record.
    enum Fault: Error {
        /// Cut off, longer than it says, or something else.
        case unreadable
        /// Written by a newer version.
        case newer(UInt16)
    }

    /// What stands before the payload.
    struct Head {
        /// The columns, without the payload.
        let record: SealedRecord
        /// Where the payload begins.
        let payloadStart: Int
        /// Its length.
        let payloadCount: Int

        /// How long the whole file is.
        var fileSize: Int { payloadStart + payloadCount }
    }

    static let format: UInt16 = 1
    /// More than this is no record of ours; far above the 1 MiB that a token may have.
    static let sizeLimit = 32 << 20
    private static let magic = Array("AKRF".utf8)

    /// The contents of a record's file.
    static func bytes(of record: SealedRecord) -> [UInt8] {
        let due = record.due?.sinceEpoch.components
        let columns = [
            record.key.bytes, record.version.incarnation.bytes, BigEndian.bytes(record.version.revision), record.keyID,
            record.issuerHash,
            due.map { BigEndian.bytes($0.seconds) + BigEndian.bytes($0.attoseconds) } ?? [],
            record.metadata, record.payload,
        ]
        return magic + [UInt8(format >> 8), UInt8(format & 255)] + LengthPrefixed.bytes(columns)
    }

    /// Reads what stands before the payload; nil when so many bytes do not reach to its end.
    static func head(in bytes: [UInt8]) throws(Fault) -> Head? {
        guard bytes.count >= 6, Array(bytes[0..<4]) == magic else { throw .unreadable }
        let found = UInt16(bytes[4]) << 8 | UInt16(bytes[5])
        guard found == format else { throw found > format ? .newer(found) : .unreadable }
        var reader = LengthPrefixedReader(bytes, from: 6)
        guard let keyBytes = reader.next(), let incarnationBytes = reader.next(), let revision = reader.next(),
            let keyID = reader.next(), let issuerHash = reader.next(), let due = reader.next(),
            let metadata = reader.next(), let payloadCount = reader.nextCount()
        else { return nil }
        guard let key = RecordKey(bytes: keyBytes), let incarnation = Incarnation(bytes: incarnationBytes),
            let revision = BigEndian.integer(revision), 0..<RecordVersion.revisionLimit ~= revision,
            let due = self.due(due)
        else { throw .unreadable }
        let record = SealedRecord(
            key: key,
            version: RecordVersion(incarnation: incarnation, revision: revision),
            keyID: keyID,
            issuerHash: issuerHash,
            due: due.time,
            metadata: metadata,
            payload: []
        )
        return Head(record: record, payloadStart: reader.position, payloadCount: payloadCount)
    }

    private static func due(_ bytes: [UInt8]) -> (time: WallTime?, Void)? {
        if bytes.isEmpty { return (nil, ()) }
        guard bytes.count == 16, let seconds = BigEndian.integer(Array(bytes[0..<8])),
            let attoseconds = BigEndian.integer(Array(bytes[8..<16])), abs(attoseconds) < 1_000_000_000_000_000_000
        else { return nil }
        let duration = Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
        return (WallTime(sinceEpoch: duration), ())
    }
}
