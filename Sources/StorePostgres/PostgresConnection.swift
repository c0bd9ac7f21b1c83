#if Postgres
internal import AuthKitCore
internal import CPostgres

/// One connection with its prepared statements; every wait for the server is bounded.
///
/// What is not is the look-up of a host's name, which libpq makes before the first wait (PQconnectStart): the system's
/// resolver bounds it (resolv.conf(5), `timeout` and `attempts`), and an address in numbers needs none.
/// Not Sendable: it is made and used on one actor's executor, which may block.
@safe
final class PostgresConnection {
    private let library: PostgresLibrary
    private let address: PostgresAddress
    private let timeout: Duration
    private let connection: OpaquePointer
    private var prepared: Set<PostgresQuery> = []

    private init(
        owning connection: OpaquePointer,
        library: PostgresLibrary,
        address: PostgresAddress,
        timeout: Duration
    ) {
        unsafe self.connection = connection
        self.library = library
        self.address = address
        self.timeout = timeout
    }

    deinit { unsafe library.api.pointee.finish(connection) }

    /// Whether it is of no more use: statements whose answers did not come leave it so as well.
    private(set) var isBroken = false

    /// Connects and signs in, within the time-out, and sets the session up.
    ///
    /// How it is secured and by what names and passwords is the address's matter: libpq honours `sslmode` and the rest.
    static func open(
        _ address: PostgresAddress,
        library: PostgresLibrary,
        timeout: Duration
    ) throws(PostgresFailure) -> PostgresConnection {
        let started = unsafe address.text.reveal().withCString { unsafe ak_pq_connect_start(library.api, $0) }
        guard let started = unsafe started else {
            throw PostgresFailure(stage: .connecting, state: "53200", text: "out of memory", operation: "connect")
        }
        let made = unsafe PostgresConnection(owning: started, library: library, address: address, timeout: timeout)
        try made.connect()
        guard unsafe library.api.pointee.set_nonblocking(started, 1) == 0 else {
            throw made.lost("connect", .connecting)
        }
        _ = unsafe library.api.pointee.set_error_verbosity(started, PQERRORS_DEFAULT)  // the setting before
        do {
            try made.execute(PostgresSchema.sessionSettings(timeout: timeout), operation: "set up the session")
        } catch {
            throw PostgresFailure(
                stage: .connecting,
                state: error.state,
                text: error.text,
                operation: error.operation
            )
        }
        return made
    }

    /// Gives it up: it is closed and replaced after the call.
    func abandon() {
        isBroken = true
    }

    /// Runs a script of statements that have no parameters and whose rows nobody wants.
    func execute(_ script: String, operation: String) throws(PostgresFailure) {
        let sent = unsafe script.withCString { unsafe library.api.pointee.send_query(connection, $0) }
        guard sent == 1 else { throw lost(operation, .unknown) }
        _ = try answer(operation)
    }

    /// Runs a prepared statement; prepares it the first time.
    func run(_ query: PostgresQuery, _ values: [PostgresValue] = []) throws(PostgresFailure) -> [PostgresRow] {
        if !prepared.contains(query) {
            let sent = unsafe query.name.withCString { name in
                unsafe query.sql.withCString { sql in
                    unsafe library.api.pointee.send_prepare(connection, name, sql, 0, nil)
                }
            }
            guard sent == 1 else { throw lost(query.operation, .unknown) }
            _ = try answer(query.operation)
            prepared.insert(query)
        }
        guard send(query, values) else { throw lost(query.operation, .unknown) }
        return try answer(query.operation)
    }

    /// Runs a body in one transaction; whatever it throws takes everything back.
    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("BEGIN", operation: "begin")
        do {
            let result = try body()
            try execute("COMMIT", operation: "commit")
            return result
        } catch {
            // A connection that cannot take it back is dropped, and the server takes it back.
            if (try? execute("ROLLBACK", operation: "take back")) == nil { isBroken = true }
            throw error
        }
    }

    private func connect() throws(PostgresFailure) {
        let deadline = ContinuousClock.now + timeout
        var wantsWriting = true
        guard unsafe library.api.pointee.status(connection) != CONNECTION_BAD else {
            // It is about the address, and what stands where a port or a mode should may be a password: not quoted.
            let failure = lost("connect", .connecting)
            let subject = String(failure.text.prefix { !":\"".contains($0) })
            var told = PostgresFailure(stage: .connecting, state: "", text: subject, operation: "connect")
            told.trouble = failure.trouble
            throw told
        }
        while true {
            // The socket may be another one after each step: libpq tries address after address.
            let ready = try wait(reading: !wantsWriting, writing: wantsWriting, until: deadline, "connect", .connecting)
            guard ready else { throw late("connect", .connecting) }
            switch unsafe library.api.pointee.connect_poll(connection) {
            case PGRES_POLLING_OK: return
            case PGRES_POLLING_READING: wantsWriting = false
            case PGRES_POLLING_WRITING: wantsWriting = true
            default: throw lost("connect", .connecting)
            }
        }
    }

    /// Sends a prepared statement with its parameters, all in one buffer that outlives the call.
    private func send(_ query: PostgresQuery, _ values: [PostgresValue]) -> Bool {
        var buffer: [UInt8] = []
        var places: [(start: Int, count: Int)?] = []
        for value in values {
            let start = buffer.count
            switch value {
            case .null:
                places.append(nil)
                continue
            case .integer(let number):
                let bits = UInt64(bitPattern: number)
                for shift in stride(from: 56 as UInt64, through: 0, by: -8) {
                    buffer.append(UInt8(truncatingIfNeeded: bits >> shift))
                }
            case .bytes(let bytes): buffer += bytes
            }
            places.append((start, buffer.count - start))
        }
        buffer.append(0)  // An empty value at the end has an address too.
        let lengths = places.map { Int32($0?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: values.count)
        let sent = unsafe buffer.withUnsafeBufferPointer { buffer in
            unsafe buffer.withMemoryRebound(to: CChar.self) { buffer in
                let pointers = unsafe places.map { place in
                    unsafe place.flatMap { place in unsafe buffer.baseAddress.map { unsafe $0 + place.start } }
                }
                return unsafe query.name.withCString { name in
                    unsafe library.api.pointee.send_prepared(
                        connection,
                        name,
                        Int32(values.count),
                        pointers,
                        lengths,
                        formats,
                        1
                    )
                }
            }
        }
        return sent == 1
    }

    /// Reads the answer to what was sent, to its end: the rows, or the first error.
    private func answer(_ operation: String) throws(PostgresFailure) -> [PostgresRow] {
        // The server ends a statement by itself at the time-out; a server that does not is given up a little later.
        let deadline = ContinuousClock.now + timeout + .seconds(2)
        var rows: [PostgresRow] = []
        var failure: PostgresFailure?
        while let result = unsafe try nextResult(until: deadline, operation) {
            defer { unsafe library.api.pointee.clear(result) }
            switch unsafe library.api.pointee.result_status(result) {
            case PGRES_COMMAND_OK: break
            case PGRES_TUPLES_OK: rows = unsafe copyRows(result)
            default: if failure == nil { failure = unsafe refusal(result, operation) }
            }
        }
        if unsafe library.api.pointee.status(connection) == CONNECTION_BAD { isBroken = true }
        if let failure { throw failure }
        if isBroken { throw lost(operation, .unknown) }
        return rows
    }

    private func nextResult(
        until deadline: ContinuousClock.Instant,
        _ operation: String
    ) throws(PostgresFailure) -> OpaquePointer? {
        let api = unsafe library.api
        var isFlushed = false
        while true {
            if !isFlushed {
                let code = unsafe api.pointee.flush(connection)
                guard code >= 0 else { throw lost(operation, .unknown) }
                isFlushed = code == 0
            }
            if isFlushed, unsafe api.pointee.is_busy(connection) == 0 {
                return unsafe api.pointee.get_result(connection)
            }
            guard try wait(reading: true, writing: !isFlushed, until: deadline, operation, .unknown) else {
                throw late(operation, .unknown)
            }
            guard unsafe api.pointee.consume_input(connection) == 1 else { throw lost(operation, .unknown) }
        }
    }

    /// Waits for the socket; false when the deadline passed.
    private func wait(
        reading: Bool,
        writing: Bool,
        until deadline: ContinuousClock.Instant,
        _ operation: String,
        _ stage: PostgresFailure.Stage
    ) throws(PostgresFailure) -> Bool {
        while true {
            let parts = (deadline - ContinuousClock.now).components
            let left = parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000
            guard left > 0 else { return false }
            let descriptor = unsafe library.api.pointee.socket(connection)
            guard descriptor >= 0 else { throw lost(operation, stage) }
            let ready = ak_pq_wait(descriptor, reading ? 1 : 0, writing ? 1 : 0, Int32(min(left, 60_000)))
            guard ready >= 0 else { throw lost(operation, stage) }
            if ready > 0 { return true }
        }
    }

    private func copyRows(_ result: OpaquePointer) -> [PostgresRow] {
        let api = unsafe library.api
        let width = unsafe api.pointee.column_count(result)
        return (0..<(unsafe api.pointee.row_count(result))).map { row in
            PostgresRow(
                (0..<width).map { column in
                    guard unsafe api.pointee.is_null(result, row, column) == 0 else { return nil }
                    let count = Int(unsafe api.pointee.value_length(result, row, column))
                    guard count > 0, let value = unsafe api.pointee.value(result, row, column) else { return [] }
                    return unsafe Array(UnsafeRawBufferPointer(start: value, count: count))
                }
            )
        }
    }

    private func refusal(_ result: OpaquePointer, _ operation: String) -> PostgresFailure {
        let field = { [library] (code: Int32) in
            unsafe library.api.pointee.result_error_field(result, code).map { unsafe String(cString: $0) } ?? ""
        }
        // PG_DIAG_SQLSTATE and PG_DIAG_MESSAGE_PRIMARY of postgres_ext.h.
        let state = field(Int32(UInt8(ascii: "C")))
        let text = address.quotable(field(Int32(UInt8(ascii: "M"))))
        let stage = state.isEmpty ? PostgresFailure.Stage.unknown : .answered
        return PostgresFailure(stage: stage, state: state, text: text, operation: operation)
    }

    private func late(_ operation: String, _ stage: PostgresFailure.Stage) -> PostgresFailure {
        isBroken = true
        return PostgresFailure(stage: stage, state: "", text: "no answer within \(timeout)", operation: operation)
    }

    /// The failure that libpq tells of the connection itself.
    private func lost(_ operation: String, _ stage: PostgresFailure.Stage) -> PostgresFailure {
        isBroken = true
        let message = unsafe library.api.pointee.error_message(connection).map { unsafe String(cString: $0) } ?? ""
        var failure = PostgresFailure(
            stage: stage,
            state: Self.state(in: message),
            text: address.quotable(Self.firstLine(of: message)),
            operation: operation
        )
        if stage == .connecting { failure.trouble = PostgresTrouble(message) }
        failure.needsPassword = unsafe library.api.pointee.needs_password(connection) == 1
        return failure
    }

    /// The SQLSTATE in a verbose message: `FATAL:  28P01: password authentication failed`.
    private static func state(in message: String) -> String {
        for part in message.split(whereSeparator: { $0 == ":" || $0 == "\n" }) {
            let word = part.drop { $0 == " " }
            guard word.utf8.count == 5, word.utf8.contains(where: { (48...57).contains($0) }) else { continue }
            if word.utf8.allSatisfy({ (48...57).contains($0) || (65...90).contains($0) }) { return String(word) }
        }
        return ""
    }

    private static func firstLine(of message: String) -> String {
        String(message.prefix { $0 != "\n" }.prefix(300))
    }
}
#endif
