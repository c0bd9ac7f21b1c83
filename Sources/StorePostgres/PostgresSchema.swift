#if Postgres
internal import AuthKitCore

/// The tables of a store and how they came to be: numbered migrations that run under an advisory lock.
enum PostgresSchema {
    /// The advisory lock that migrations run under: `authkit` and a digit, as bytes.
    private static let lock: Int64 = 0x6175_7468_6B69_7431

    /// What every session is set to, whatever the server's configuration says.
    ///
    /// A save that returned is durable, so a server that answers before it has written is asked not to. Every statement
    /// goes by an index; the planner is told so, since it knows nothing of a table that has just been filled.
    static func sessionSettings(timeout: Duration) -> String {
        let milliseconds = max(1, timeout / .milliseconds(1))
        let bound = Int64(min(milliseconds, 2_000_000_000))
        return """
            SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';
            SET default_transaction_isolation = 'read committed';
            SET statement_timeout = \(bound);
            SET lock_timeout = \(bound);
            SET idle_in_transaction_session_timeout = \(bound);
            SET plan_cache_mode = force_generic_plan; SET jit = off;
            SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;
            """
    }

    /// Makes or updates the tables, all in one transaction; throws `newer_format` for those of a later version.
    static func bringUpToDate(
        _ connection: PostgresConnection,
        place: String,
        by migrations: [String]
    ) throws {
        let version = Int64(migrations.count)
        if try found(connection, place: place, knowing: version) == version { return }
        // Taken before the transaction: whoever waited for it must not see what its own transaction saw before.
        _ = try connection.run(.lockSchema, [.integer(lock)])
        defer {
            // A connection that cannot give it back is dropped, and the server gives it back.
            if (try? connection.run(.unlockSchema, [.integer(lock)])) == nil { connection.abandon() }
        }
        try connection.transaction {
            let start = try found(connection, place: place, knowing: version)
            guard start < version else { return }
            for migration in migrations[Int(start)...] {
                try connection.execute(migration, operation: "make the tables of the store")
            }
            _ = try connection.run(.setSchemaVersion, [.integer(version)])
        }
    }

    /// The version of the tables that are there, 0 for none; throws `newer_format` beyond the one that is known.
    private static func found(
        _ connection: PostgresConnection,
        place: String,
        knowing version: Int64
    ) throws -> Int64 {
        guard try connection.run(.schemaExists).first?.integer(0) == 1 else { return 0 }
        guard let number = try connection.run(.schemaVersion).first?.integer(0), number >= 0 else {
            throw StoreError(
                .corrupt,
                "The tables in the database at \(place) are not a store's; name another database or schema."
            )
        }
        guard number <= version else {
            throw StoreError(
                .newerFormat,
                "The store in the database at \(place) was made by a newer version of AuthKit; update this one."
            )
        }
        return number
    }

    /// The store's own; how many there are is the version of its tables.
    static let migrations = [
        // 1: records, leases and their numbers.
        """
        CREATE TABLE authkit_schema (
            only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
            version bigint NOT NULL,
            probes bigint NOT NULL DEFAULT 0
        );
        INSERT INTO authkit_schema (version) VALUES (0);

        CREATE TABLE authkit_records (
            record_key bytea PRIMARY KEY CHECK (length(record_key) = 32),
            incarnation bytea NOT NULL CHECK (length(incarnation) = 16),
            revision bigint NOT NULL,
            key_id bytea NOT NULL,
            issuer_hash bytea NOT NULL,
            due_seconds bigint,
            due_attoseconds bigint,
            metadata bytea NOT NULL,
            payload bytea NOT NULL,
            -- Room was asked for: a token that works once may be on its way.
            in_doubt boolean NOT NULL,
            claimed_until timestamptz
        ) WITH (fillfactor = 70);
        ALTER TABLE authkit_records ALTER metadata SET STORAGE EXTERNAL, ALTER payload SET STORAGE EXTERNAL;
        CREATE INDEX authkit_records_due ON authkit_records (due_seconds, due_attoseconds)
            WHERE due_seconds IS NOT NULL AND NOT in_doubt;
        CREATE INDEX authkit_records_in_doubt ON authkit_records (due_seconds, due_attoseconds) WHERE in_doubt;

        CREATE SEQUENCE authkit_fencing AS bigint NO CYCLE;
        CREATE TABLE authkit_leases (
            lease_key bytea NOT NULL,
            purpose bigint NOT NULL,
            fencing bigint NOT NULL,
            holder bytea NOT NULL,
            duration interval NOT NULL,
            expires_at timestamptz NOT NULL,
            PRIMARY KEY (lease_key, purpose)
        ) WITH (fillfactor = 70);

        -- While the server was down nobody could extend a lease, so all get their whole time again after a start.
        CREATE FUNCTION authkit_lease_end(expires_at timestamptz, duration interval) RETURNS timestamptz
        LANGUAGE sql STABLE AS 'SELECT GREATEST(expires_at, pg_postmaster_start_time() + duration)';

        -- 0: saved; 1: another version is stored; 2: the lease is no longer held. The lease's row stays locked until
        -- the save is committed, so that nobody takes the lease in between.
        CREATE FUNCTION authkit_save(
            new_key bytea, new_incarnation bytea, new_revision bigint, new_key_id bytea, new_issuer_hash bytea,
            new_due_seconds bigint, new_due_attoseconds bigint, new_metadata bytea, new_payload bytea,
            new_in_doubt boolean, old_incarnation bytea, old_revision bigint,
            under_key bytea, under_purpose bigint, under_fencing bigint, under_holder bytea
        ) RETURNS bigint LANGUAGE plpgsql AS $body$
        BEGIN
            IF under_fencing IS NOT NULL THEN
                PERFORM FROM authkit_leases
                WHERE lease_key = under_key AND purpose = under_purpose AND fencing = under_fencing
                    AND holder = under_holder AND authkit_lease_end(expires_at, duration) > clock_timestamp()
                FOR SHARE;
                IF NOT FOUND THEN
                    RETURN 2;
                END IF;
            END IF;
            IF old_revision IS NULL THEN
                INSERT INTO authkit_records (record_key, incarnation, revision, key_id, issuer_hash, due_seconds,
                    due_attoseconds, metadata, payload, in_doubt)
                VALUES (new_key, new_incarnation, new_revision, new_key_id, new_issuer_hash, new_due_seconds,
                    new_due_attoseconds, new_metadata, new_payload, new_in_doubt)
                ON CONFLICT (record_key) DO NOTHING;
            ELSE
                UPDATE authkit_records SET incarnation = new_incarnation, revision = new_revision, key_id = new_key_id,
                    issuer_hash = new_issuer_hash, due_seconds = new_due_seconds,
                    due_attoseconds = new_due_attoseconds, metadata = new_metadata, payload = new_payload,
                    in_doubt = new_in_doubt, claimed_until = NULL
                WHERE record_key = new_key AND incarnation = old_incarnation AND revision = old_revision;
            END IF;
            RETURN CASE WHEN FOUND THEN 0 ELSE 1 END;
        END
        $body$;
        """
    ]
}
#endif
