#if Postgres
import CPostgres
import Testing

/// A connection of somebody else; its calls block for the moment that a statement on this machine takes.
@safe
final class RawSession {
    private struct Failed: Error {
        let statement: String
    }

    private let connection: OpaquePointer

    init(_ address: String) throws {
        guard let made = unsafe PQconnectdb(address) else { throw Failed(statement: "connect") }
        unsafe connection = unsafe made
        guard unsafe PQstatus(made) == CONNECTION_OK else { throw Failed(statement: "connect") }
    }

    deinit { unsafe PQfinish(connection) }

    /// Runs statements, and gives the first value of the last answer.
    @discardableResult
    func execute(_ sql: String) throws -> String? {
        guard let result = unsafe PQexec(connection, sql) else { throw Failed(statement: sql) }
        defer { unsafe PQclear(result) }
        let status = unsafe PQresultStatus(result)
        guard status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK else { throw Failed(statement: sql) }
        guard unsafe PQntuples(result) > 0, unsafe PQgetisnull(result, 0, 0) == 0 else { return nil }
        return unsafe PQgetvalue(result, 0, 0).map { unsafe String(cString: $0) }
    }
}

/// Runs statements on a connection that is made for them.
@discardableResult
func execute(_ sql: String, at address: String) async throws -> String? {
    try RawSession(address).execute(sql)
}
#endif
