internal import AuthKitCore

// @unchecked: the connection is reached under the lock alone, and no section lets it out.

/// A store's connection: whoever uses it has it to himself.
///
/// The store's own thread waits for it. A read may take it on the thread of its caller when nobody else has it, and
/// then waits for nothing.
final class SharedConnection: @unchecked Sendable {
    private let lock = Guarded<Void>(())
    private var connection: SQLiteConnection?

    /// Takes a connection over.
    init(owning connection: sending SQLiteConnection) {
        self.connection = connection
    }

    /// Lends the connection, nil after `close`, when nobody else has it any more.
    func use<Result: Sendable>(_ body: (SQLiteConnection?) throws -> Result) throws -> Result {
        try lock.withLock { _ in try body(connection) }
    }

    /// Lends the connection if nobody has it at the moment; nil otherwise, and after `close`.
    func useIfFree<Result: Sendable>(_ body: (SQLiteConnection) throws -> Result) throws -> Result? {
        let result = try lock.withLockIfAvailable { _ in try connection.map(body) }
        return result ?? nil
    }

    /// Closes the file.
    func close() {
        lock.withLock { _ in connection = nil }
    }

    /// Leaves the file open to the end of the process.
    ///
    /// For a forked child, which must not close what its parent uses. The lock may be held by a thread that was not
    /// forked, so nobody asks for it.
    func abandon() {
        guard let connection else { return }
        _ = unsafe Unmanaged.passRetained(connection)
    }
}
