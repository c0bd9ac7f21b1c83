/// The statements of the store, prepared once for each connection.
enum SQLiteQuery: String, CaseIterable, Sendable {
    case begin = "BEGIN IMMEDIATE"
    case commit = "COMMIT"
    case rollback = "ROLLBACK"

    case load = """
        SELECT key, incarnation, revision, key_id, issuer_hash, due_seconds, due_attoseconds, metadata, payload
        FROM records WHERE key = ?1
        """
    /// Of a row with more in it than the connection reads (16 MiB) the metadata is null: asking for its length reads
    /// no more than its head. What has no key of ours is nobody's record.
    case list = """
        SELECT key, incarnation, revision, key_id, issuer_hash, due_seconds, due_attoseconds,
            CASE WHEN length(metadata) + length(payload) <= 16777216 THEN metadata END
        FROM records WHERE key > ?1 AND length(key) = 32 AND typeof(key) = 'blob' ORDER BY key LIMIT ?2
        """
    /// A record that was not there; changes nothing when there is one.
    case make = """
        INSERT INTO records
            (key, incarnation, revision, key_id, issuer_hash, due_seconds, due_attoseconds, metadata, payload, room)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
        ON CONFLICT (key) DO NOTHING
        """
    /// A record in place of the version ?11 and ?12; changes nothing when that is not there.
    case replace = """
        UPDATE records SET
            incarnation = ?2, revision = ?3, key_id = ?4, issuer_hash = ?5, due_seconds = ?6, due_attoseconds = ?7,
            metadata = ?8, payload = ?9, room = ?10, claimed_boot = NULL, claimed_until = NULL
        WHERE key = ?1 AND incarnation = ?11 AND revision = ?12
        """
    case purge = "DELETE FROM records WHERE key = ?1 AND incarnation = ?2 AND revision = ?3"
    /// What has no version that could be compared: one of the rules in `RecordVersion` does not hold.
    case purgeUnreadable = """
        DELETE FROM records
        WHERE key = ?1 AND (length(incarnation) = 16 AND revision BETWEEN 0 AND 4611686018427387903) IS NOT TRUE
        """
    case probe = "UPDATE probe SET writes = writes + 1"
    /// A row if room is promised to any record.
    case isRoomPromised = "SELECT 1 FROM records INDEXED BY records_with_room WHERE room > 0 LIMIT 1"
    /// The room promised to all records but one; none was promised more than 64 MiB, whatever its row says by now.
    case roomOfOthers = "SELECT coalesce(sum(min(room, 67108864)), 0) FROM records WHERE room > 0 AND key <> ?1"

    /// Of the records with promised room, what is due by ?1 and ?2, not claimed at the time ?3 of the boot ?4, and
    /// not of the issuers whose hashes are ?6. Keys alone: what is sorted here is not to be whole records. Rows that
    /// cannot be read as records are passed over, so that they do not take the others' places.
    case dueWithRoom = """
        WITH RECURSIVE excluded (start, hash) AS (
            SELECT 1, substr(?6, 1, 32) WHERE length(?6) > 0
            UNION ALL SELECT start + 32, substr(?6, start + 32, 32) FROM excluded WHERE start + 32 <= length(?6)
        )
        SELECT key FROM records INDEXED BY records_with_room
        WHERE room > 0 AND due_seconds IS NOT NULL AND (due_seconds, due_attoseconds) <= (?1, ?2)
            AND key <> zeroblob(32) AND (claimed_until IS NULL OR claimed_until <= ?3 OR claimed_boot <> ?4)
            AND issuer_hash NOT IN (SELECT hash FROM excluded)
            AND length(key) = 32 AND length(incarnation) = 16 AND revision BETWEEN 0 AND 4611686018427387903
            AND length(metadata) + length(payload) <= 16777216
        ORDER BY due_seconds, due_attoseconds, key LIMIT ?5
        """
    /// The same of all other records.
    case due = """
        WITH RECURSIVE excluded (start, hash) AS (
            SELECT 1, substr(?6, 1, 32) WHERE length(?6) > 0
            UNION ALL SELECT start + 32, substr(?6, start + 32, 32) FROM excluded WHERE start + 32 <= length(?6)
        )
        SELECT key FROM records
        WHERE due_seconds IS NOT NULL AND (due_seconds, due_attoseconds) <= (?1, ?2) AND key <> zeroblob(32)
            AND room = 0 AND (claimed_until IS NULL OR claimed_until <= ?3 OR claimed_boot <> ?4)
            AND issuer_hash NOT IN (SELECT hash FROM excluded)
            AND length(key) = 32 AND length(incarnation) = 16 AND revision BETWEEN 0 AND 4611686018427387903
            AND length(metadata) + length(payload) <= 16777216
        ORDER BY due_seconds, due_attoseconds, key LIMIT ?5
        """
    case claim = "UPDATE records SET claimed_boot = ?2, claimed_until = ?3 WHERE key = ?1"
    case unclaim = """
        UPDATE records SET claimed_boot = NULL, claimed_until = NULL
        WHERE key = ?1 AND incarnation = ?2 AND revision = ?3 AND claimed_until IS NOT NULL
        """

    /// What it does, for messages.
    var operation: String {
        switch self {
        case .begin: "begin a change"
        case .commit: "make a change durable"
        case .rollback: "take a change back"
        case .load: "read a record"
        case .list: "list records"
        case .make, .replace: "write a record"
        case .purge, .purgeUnreadable: "remove a record"
        case .probe: "write a probe"
        case .isRoomPromised, .roomOfOthers: "count reserved room"
        case .dueWithRoom, .due: "find due records"
        case .claim: "claim a record"
        case .unclaim: "give a claim back"
        }
    }
}
