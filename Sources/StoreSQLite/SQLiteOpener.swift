internal import AuthKitCore

/// Opens stores on the executor that they will run on: directory, files, connection, format.
actor SQLiteOpener {
    /// What a store is made of.
    struct Parts {
        let path: String
        let leases: LeaseQueue
        let room: ReservedRoom
        let connection: SQLiteConnection
    }

    /// What may lie beside the database: SQLite's files, the rollback journal of a store being made among them, and ours.
    ///
    /// SQLite follows links and waits for pipes; all are checked before it is let in.
    private static let sides = ["-journal", "-wal", "-shm", ".lock", ".room"]

    private let executor: BlockingExecutor

    init(on executor: BlockingExecutor) {
        self.executor = executor
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Opens the store at a path, made when absent.
    func open(_ path: String, _ options: SQLiteStore.Options) async throws -> sending Parts {
        let (parent, name) = try PrivateDirectory.split(path)
        let directory = try PrivateDirectory.open(parent, insecureFileModes: options.insecureFileModes)
        let path = directory.path(of: name)
        for side in Self.sides { _ = try directory.checkFile(name + side) }
        // From here on the database file is looked at by stat only: SQLite's POSIX locks would be lost with any other
        // descriptor of it that is closed in this process (fcntl(2)).
        try directory.makeFile(name)
        let lock = try KernelLock.open(name + ".lock", in: directory)
        let connection = try await Self.connect(path, lock, options)
        return Parts(
            path: path,
            leases: LeaseQueue(lock: lock, time: options.time),
            room: ReservedRoom(name + ".room", in: directory),
            connection: connection
        )
    }

    private static func connect(
        _ path: String,
        _ lock: KernelLock,
        _ options: SQLiteStore.Options
    ) async throws -> sending SQLiteConnection {
        do {
            let connection = try SQLiteConnection.open(path, busyTimeout: options.busyTimeout)
            guard !connection.isReadOnly else {
                throw StoreError(
                    .cannotCreate,
                    "\(path) can be read only; make it writable, or choose another directory, or memory:."
                )
            }
            if case .ready = try SQLiteSchema.state(of: connection, path: path) { return connection }
            guard try await lock.lock(.setup, within: options.busyTimeout, time: options.time) else {
                throw StoreError(
                    .busy,
                    "Another process is making the store at \(path); try again when it has finished."
                )
            }
            // Where this fails, the lock goes with its file, which nobody else holds.
            try SQLiteSchema.prepare(connection, path: path)
            // Left locked, the byte would hold up others until this process ends.
            try lock.unlock(.setup)
            return connection
        } catch let failure as SQLiteFailure {
            throw failure.storeError(path: path)
        }
    }
}
