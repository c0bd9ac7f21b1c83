#if Postgres
internal import AuthKitCore

/// One place of a pool: a thread queue of its own with at most one connection, made when it is first needed.
actor PostgresSlot {
    private nonisolated let executor = BlockingExecutor(label: "PostgresStore")
    private let address: PostgresAddress
    private let library: PostgresLibrary
    private let timeout: Duration
    private var connection: PostgresConnection?

    init(_ address: PostgresAddress, library: PostgresLibrary, timeout: Duration) {
        self.address = address
        self.library = library
        self.timeout = timeout
    }

    /// The thread queue: libpq's calls block.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Runs a body on the connection; one that broke is replaced at the next call.
    func run<Result: Sendable>(
        _ body: @Sendable (PostgresConnection) throws -> Result
    ) throws -> Result {
        let connection = try open()
        do {
            return try body(connection)
        } catch {
            if connection.isBroken { self.connection = nil }
            throw error
        }
    }

    /// Ends the connection.
    func close() {
        connection = nil
    }

    private func open() throws(PostgresFailure) -> PostgresConnection {
        if let connection { return connection }
        let made = try PostgresConnection.open(address, library: library, timeout: timeout)
        connection = made
        return made
    }
}
#endif
