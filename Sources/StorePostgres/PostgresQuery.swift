#if Postgres
/// The statements that are prepared once for each connection.
enum PostgresQuery: String, Sendable {
    case load, list, version, save, purge, purgeUnreadable, probe
    case take, confirm, extend, release
    case claim, unclaim
    case schemaExists, schemaVersion, setSchemaVersion, lockSchema, unlockSchema, sweepLeases

    /// The name under which it is prepared.
    var name: String { "authkit_\(rawValue)" }

    /// What it does, for messages.
    var operation: String {
        switch self {
        case .load, .version: "read a record"
        case .list: "list records"
        case .save: "save a record"
        case .purge, .purgeUnreadable: "remove a record"
        case .probe: "write a probe"
        case .take: "take a lease"
        case .confirm: "confirm a lease"
        case .extend: "extend a lease"
        case .release: "give a lease back"
        case .claim: "claim what is due"
        case .unclaim: "give a claim back"
        case .schemaExists, .schemaVersion, .setSchemaVersion, .lockSchema, .unlockSchema, .sweepLeases:
            "look after the schema"
        }
    }

    /// The text.
    var sql: String {
        switch self {
        case .load:
            "SELECT \(Self.columns), \(Self.payload) FROM authkit_records WHERE record_key = $1::bytea"
        case .list:
            // The header's key is the lowest there is.
            """
            SELECT \(Self.columns), ''::bytea FROM authkit_records WHERE record_key > $1::bytea
            AND length(record_key) = 32 ORDER BY record_key LIMIT $2::int8
            """
        case .version:
            "SELECT incarnation, revision FROM authkit_records WHERE record_key = $1::bytea"
        case .save:
            """
            SELECT authkit_save($1::bytea, $2::bytea, $3::int8, $4::bytea, $5::bytea, $6::int8, $7::int8, $8::bytea,
                $9::bytea, $10::int8 <> 0, $11::bytea, $12::int8, $13::bytea, $14::int8, $15::int8, $16::bytea)
            """
        case .purge:
            """
            DELETE FROM authkit_records WHERE record_key = $1::bytea AND incarnation = $2::bytea AND revision = $3::int8
            RETURNING revision
            """
        case .purgeUnreadable:
            // What has no version that could be compared: one of the rules in `RecordVersion` does not hold.
            """
            DELETE FROM authkit_records WHERE record_key = $1::bytea
            AND (length(incarnation) = 16 AND revision BETWEEN 0 AND 4611686018427387903) IS NOT TRUE
            RETURNING revision
            """
        case .probe:
            "UPDATE authkit_schema SET probes = probes + 1"
        case .take: Self.takeSQL
        case .confirm:
            """
            SELECT fencing FROM authkit_leases WHERE \(Self.ours)
            """
        case .extend:
            // A crash that loses this leaves the lease shorter, which nobody relies on: no wait for the disk.
            """
            UPDATE authkit_leases SET expires_at = clock_timestamp() + duration
            WHERE \(Self.ours) AND \(Self.relaxed) RETURNING fencing
            """
        case .release:
            // A crash that loses this leaves a lease that lapses by itself.
            """
            DELETE FROM authkit_leases WHERE lease_key = $1::bytea AND purpose = $2::int8 AND fencing = $3::int8
            AND holder = $4::bytea AND \(Self.relaxed) RETURNING fencing
            """
        case .claim: Self.claimSQL
        case .unclaim:
            """
            UPDATE authkit_records SET claimed_until = NULL
            WHERE record_key = $1::bytea AND incarnation = $2::bytea AND revision = $3::int8 AND \(Self.relaxed)
            """
        case .schemaExists:
            "SELECT count(*) FROM (SELECT to_regclass('authkit_schema') AS found) AS looked WHERE found IS NOT NULL"
        case .schemaVersion: "SELECT version FROM authkit_schema"
        case .setSchemaVersion: "UPDATE authkit_schema SET version = $1::int8"
        case .lockSchema: "SELECT 1::int8 FROM (SELECT pg_advisory_lock($1::int8)) AS locked"
        case .unlockSchema: "SELECT pg_advisory_unlock($1::int8)"
        case .sweepLeases:
            "DELETE FROM authkit_leases WHERE expires_at < clock_timestamp() - interval '1 day' AND \(Self.relaxed)"
        }
    }

    private static let columns =
        "record_key, incarnation, revision, key_id, issuer_hash, due_seconds, due_attoseconds, \(metadata)"

    /// Null in a row with more in it than any record has, which is not to be fetched: lengths cost no look at it.
    private static let metadata = "CASE WHEN \(isOfSize) THEN metadata END"
    private static let payload = "CASE WHEN \(isOfSize) THEN payload END"
    private static let isOfSize = "length(metadata) <= 16777216 AND length(payload) <= 16777216"

    /// For statements whose loss in a crash harms nothing.
    private static let relaxed = "set_config('synchronous_commit', 'off', true) = 'off'"

    private static let ours = """
        lease_key = $1::bytea AND purpose = $2::int8 AND fencing = $3::int8 AND holder = $4::bytea
        AND authkit_lease_end(expires_at, duration) > clock_timestamp()
        """

    /// Takes a lease that is free, lapsed, or taken by this very call before its answer was lost.
    ///
    /// The number is drawn again after the row was locked, so that of two holders the later has the greater one.
    private static let takeSQL = """
        INSERT INTO authkit_leases AS held (lease_key, purpose, fencing, holder, duration, expires_at)
        SELECT $1::bytea, $2::int8, nextval('authkit_fencing'), $3::bytea, wanted, clock_timestamp() + wanted
        FROM (SELECT $4::int8 * interval '1 millisecond' AS wanted) AS asked
        WHERE NOT EXISTS (
            SELECT FROM authkit_leases WHERE lease_key = $1::bytea AND purpose = $2::int8 AND holder <> $3::bytea
            AND authkit_lease_end(expires_at, duration) > clock_timestamp()
        )
        ON CONFLICT (lease_key, purpose) DO UPDATE SET fencing = nextval('authkit_fencing'),
            holder = EXCLUDED.holder, duration = EXCLUDED.duration, expires_at = clock_timestamp() + EXCLUDED.duration
        WHERE held.holder = EXCLUDED.holder
            OR authkit_lease_end(held.expires_at, held.duration) <= clock_timestamp()
        RETURNING fencing
        """

    /// Claims what is due by a time, or by the server's clock; rows that others are claiming are passed over.
    ///
    /// Those in doubt come first, whatever else waits: an issuer takes a token again whose answer was lost, but not for
    /// long. Of issuers whose hashes are $5, one after the other, none are taken.
    private static let claimSQL = """
        WITH bound AS MATERIALIZED (
            SELECT COALESCE($1::int8, floor(moment)::int8) AS seconds,
                COALESCE($2::int8, ((moment - floor(moment)) * 1e18)::int8) AS attoseconds
            FROM (SELECT extract(epoch FROM clock_timestamp()) AS moment) AS read
        ), excluded AS MATERIALIZED (
            SELECT substr($5::bytea, start, 32) AS hash FROM generate_series(1, length($5::bytea), 32) AS start
        ), doubtful AS MATERIALIZED (
            SELECT record_key FROM authkit_records WHERE in_doubt AND \(claimable) LIMIT $3::int8 FOR UPDATE SKIP LOCKED
        ), others AS MATERIALIZED (
            SELECT record_key FROM authkit_records WHERE NOT in_doubt AND \(claimable)
            LIMIT GREATEST(0, $3::int8 - (SELECT count(*) FROM doubtful)) FOR UPDATE SKIP LOCKED
        )
        UPDATE authkit_records AS record SET claimed_until = clock_timestamp() + $4::int8 * interval '1 millisecond'
        FROM (SELECT record_key FROM doubtful UNION ALL SELECT record_key FROM others) AS picked,
            (SELECT set_config('synchronous_commit', 'off', true)) AS relaxed
        WHERE record.record_key = picked.record_key
        RETURNING record.record_key, incarnation, revision, key_id, issuer_hash, due_seconds, due_attoseconds,
            \(metadata), \(payload)
        """

    private static let claimable = """
        due_seconds <= (SELECT seconds FROM bound)
        AND (due_seconds < (SELECT seconds FROM bound) OR due_attoseconds <= (SELECT attoseconds FROM bound))
        AND record_key <> decode(repeat('00', 32), 'hex')
        AND (claimed_until IS NULL OR claimed_until <= clock_timestamp())
        AND issuer_hash NOT IN (SELECT hash FROM excluded)
        ORDER BY due_seconds, due_attoseconds
        """
}
#endif
