import AuthKitCore
import Testing

/// A store as version 1 of the format wrote it: what `.dump` of such a file says.
enum VersionOne {
    /// The key of the record that is due.
    static var key: RecordKey {
        get throws { try #require(RecordKey(bytes: [UInt8](repeating: 0xA1, count: 32))) }
    }

    /// Makes an empty database such a store: the header, a record that is due, and a tombstone.
    static func make(_ path: String) throws {
        try RawDatabase(path: path).execute(dump)
    }

    private static let dump = """
        PRAGMA journal_mode = WAL;
        BEGIN TRANSACTION;
        CREATE TABLE records (
            key BLOB NOT NULL PRIMARY KEY CHECK (length(key) = 32),
            incarnation BLOB NOT NULL CHECK (length(incarnation) = 16),
            revision INTEGER NOT NULL,
            key_id BLOB NOT NULL,
            issuer_hash BLOB NOT NULL,
            due_seconds INTEGER,
            due_attoseconds INTEGER,
            room INTEGER NOT NULL,
            metadata BLOB NOT NULL,
            payload BLOB NOT NULL
        ) STRICT;
        INSERT INTO records VALUES (zeroblob(32), X'10101010101010101010101010101010', 1,
            X'20202020202020202020202020202020', zeroblob(32), NULL, NULL, 0, X'68656164', X'');
        INSERT INTO records VALUES (X'\(String(repeating: "a1", count: 32))', X'11111111111111111111111111111111', 41,
            X'20202020202020202020202020202020', X'\(String(repeating: "33", count: 32))', 1700000000, 5000000, 131840,
            X'6d657461', X'7061796c6f6164');
        INSERT INTO records VALUES (X'\(String(repeating: "b2", count: 32))', X'12121212121212121212121212121212', 7,
            X'20202020202020202020202020202020', X'\(String(repeating: "33", count: 32))', NULL, NULL, 0,
            X'6d657461', X'7061796c6f6164');
        CREATE TABLE probe (writes INTEGER NOT NULL) STRICT;
        INSERT INTO probe VALUES (3);
        CREATE INDEX records_with_room ON records (room) WHERE room > 0;
        PRAGMA application_id = 1095455537;
        PRAGMA user_version = 1;
        COMMIT;
        """
}
