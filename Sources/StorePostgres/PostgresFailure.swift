#if Postgres
internal import AuthKitCore

/// What PostgreSQL or the way to it said, and what it left behind.
struct PostgresFailure: Error, Sendable {
    /// How far the work came.
    enum Stage: Sendable {
        /// There was no connection: nothing was done.
        case connecting
        /// The server refused the statement: nothing was done.
        case answered
        /// The connection broke, or the answer did not come in time: it may have been done.
        case unknown
    }

    /// How far the work came.
    let stage: Stage
    /// The SQLSTATE, empty where there was none.
    let state: String
    /// What was said, where it can be no part of a secret; else empty.
    let text: String
    /// What was being done, for the message.
    let operation: String
    /// Whether the server asks for a password and none was given.
    var needsPassword = false
    /// What keeps from connecting, where it is none of a server that is away.
    var trouble: PostgresTrouble?

    /// Whether the same call may work in a moment: a restart, a lost connection, a deadlock, too many connections.
    var isPassing: Bool {
        switch state {
        case "": !needsPassword && trouble?.isPassing != false
        // Class 08 is the connection's; 57P01 to 57P03: shutting down, crashed, starting; 53300: too many connections.
        case "57P01", "57P02", "57P03", "53300", "40001", "40P01": true
        default: state.hasPrefix("08")
        }
    }

    /// Whether the server said that it is on its way: an opener waits for that and for nothing else.
    var isStarting: Bool { state == "57P03" || state == "53300" }

    /// The failure as callers see it: one sentence that says what to do next.
    func storeError(at place: String) -> StoreError {
        let (code, advice) = verdict(at: place)
        let detail = text.isEmpty ? operation : "\(operation): \(text)"
        let reference = state.isEmpty ? detail : "SQLSTATE \(state), \(detail)"
        return StoreError(code, "\(advice) (\(reference))", cause: self)
    }

    private func verdict(at place: String) -> (StoreError.Code, String) {
        let server = "PostgreSQL at \(place)"
        switch state {
        case _ where needsPassword:
            return (.misconfigured, "\(server) asks for a password; put one into the address, PGPASSWORD or ~/.pgpass.")
        case "":
            if let trouble { return trouble.verdict(of: server) }
        case "28P01":
            return (.misconfigured, "\(server) does not let this user in; correct the user or password in the address.")
        case "28000":
            return (
                .misconfigured,
                "\(server) does not let this user in from here; correct the user or password in the address, ask for TLS "
                    + "(sslmode=require) where it takes no connection with no encryption, or allow it in pg_hba.conf."
            )
        case "3D000":
            return (.misconfigured, "\(server) has no such database; make it with createdb, or correct the address.")
        case "3F000":
            return (
                .misconfigured,
                "\(server) has no schema for the tables of the store; make the one that is named (CREATE SCHEMA), or name "
                    + "another with options=-csearch_path%3DNAME in the address."
            )
        case "57P01", "57P02", "57P03":
            return (.unavailable, "\(server) is starting or shutting down; try again when it is up.")
        case "42501":
            return (
                .cannotCreate,
                "\(server) does not allow this; let the user create in its schema (GRANT CREATE ON SCHEMA), or make it the "
                    + "owner of the tables."
            )
        case "25006":
            return (
                .cannotCreate,
                "\(server) can be read only; name the primary, or add target_session_attrs=read-write to the address."
            )
        case "53100": return (.full, "\(server) has no room; make some there and try again.")
        case "55P03", "57014", "40001", "40P01": return (.busy, "\(server) is too busy; try again in a moment.")
        case "53300": return (.busy, "\(server) has no connection free; try again, or raise its max_connections.")
        case "42P01", "42883", "42703":
            return (.corrupt, "\(server) lacks a part of the store; restore the database from a copy.")
        default: break
        }
        // Class 08 is the connection's.
        return stage == .answered && !state.hasPrefix("08")
            ? (.inputOutput, "\(server) refused a statement; look at its log.")
            : (.unavailable, "\(server) cannot be reached; start it, or correct the address.")
    }
}
#endif
