public import AuthKitCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A store in an SQLite file that any number of processes of one machine share.
///
/// Written with a write-ahead log and full synchronisation, in files that only their owner can use. Beside the file `PATH`
/// lie `PATH-wal` and `PATH-shm` (SQLite's), `PATH.lock` (leases) and `PATH.room` (disk space held for promised saves).
/// What may wait for a disk or for other processes runs on a thread of the store's; a load only where it has to.
public actor SQLiteStore: DueTokenStore {
    /// The absolute path of the database file.
    public nonisolated let path: String
    private nonisolated let leases: LeaseQueue
    private nonisolated let executor: BlockingExecutor
    private nonisolated let process: Int32
    private let room: ReservedRoom
    /// Whether a save that nobody finished, here or elsewhere, may have left room that is promised to nobody.
    private var mayHaveIdleRoom = true
    let time: any TimeSource
    private nonisolated let connection: SharedConnection

    private init(
        owning parts: sending SQLiteOpener.Parts,
        time: any TimeSource,
        on executor: BlockingExecutor
    ) {
        self.time = time
        path = parts.path
        leases = parts.leases
        room = parts.room
        connection = SharedConnection(owning: parts.connection)
        self.executor = executor
        process = getpid()
    }

    isolated deinit {
        guard process != getpid() else { return }
        connection.abandon()
    }

    /// The thread queue of this store: SQLite blocks.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Opens the store in a file, made with its directory when absent.
    ///
    /// Throws `cannot_create`, `loose_permissions` (with the command that mends it), `wrong_owner`, `unsupported_place`
    /// (a network file system, a symbolic link), `corrupt` (not a store), `newer_format`, `busy`, `full` or
    /// `input_output`.
    public static func open(path: String, options: Options = Options()) async throws -> SQLiteStore {
        let executor = BlockingExecutor(label: "SQLiteStore")
        let parts = try await SQLiteOpener(on: executor).open(path, options)
        return SQLiteStore(owning: parts, time: options.time, on: executor)
    }

    /// Closes the file; every later call but this throws `input_output`.
    ///
    /// Without it the file is closed when the last reference to the store goes.
    public func close() {
        guard process == getpid() else { return }
        connection.close()
    }

    /// Reads a record; nil when there is none, `corrupt` when its row cannot be one.
    ///
    /// On the thread of the caller, where that waits for nobody: a read of one row waits for no writer
    /// (wal.html §2.2), and what it reads is in memory nearly always.
    public nonisolated func load(_ key: RecordKey) async throws -> SealedRecord? {
        try requireProcess()
        if let found = loadAtOnce(key) { return found }
        return try await loadOnOwnThread(key)
    }

    /// Reads a record that is there, while nobody else uses the connection; nil whenever anything else is the case.
    ///
    /// What failed here is not told: it is tried again on the store's thread, which waits for other processes.
    private nonisolated func loadAtOnce(_ key: RecordKey) -> SealedRecord? {
        let found = try? connection.useIfFree { connection in
            try connection.withoutWaiting { try connection.record(key) }
        }
        return found ?? nil
    }

    private func loadOnOwnThread(_ key: RecordKey) throws -> SealedRecord? {
        try reportingFailures { connection in try connection.record(key) }
    }

    /// Writes a record if what is stored has the version expected; throws `conflict` otherwise.
    ///
    /// Durable on return. The lease is not asked: leases here end with their holders only, and the version decides.
    public func save(
        _ record: SealedRecord,
        replacing expected: RecordVersion?,
        under lease: (any StoreLease)?
    ) async throws {
        try reportingFailures { connection in
            try requirePlace(connection)
            let needed = ReservedRoom.size(reserve: record.reserve, for: record)
            if needed > 0 { mayHaveIdleRoom = true }
            var wasPromised = false
            let write = { [room] in
                try connection.transaction {
                    wasPromised = try Self.isRoomPromised(connection)
                    try Self.write(record, replacing: expected, room: needed, connection)
                    // A promise that cannot be made takes the write back.
                    if needed > 0 { try room.grow(to: Self.roomOfOthers(than: record.key, connection) + needed) }
                }
            }
            do {
                try write()
            } catch let failure as SQLiteFailure where failure.isFull && needed == 0 {
                try giveRoom(of: record.key, connection)
                try write()
            }
            if needed == 0, wasPromised || mayHaveIdleRoom { tidyRoom(connection) }
        }
    }

    /// Removes a record for good if it has the version expected; throws `conflict` otherwise.
    public func purge(_ key: RecordKey, expecting expected: RecordVersion) async throws {
        try reportingFailures { connection in
            try requirePlace(connection)
            let write = {
                try connection.transaction {
                    try connection.run(.purge, [.blob(key.bytes)] + expected.values)
                    if expected == .unreadable, connection.changedRows == 0 {
                        try connection.run(.purgeUnreadable, [.blob(key.bytes)])
                    }
                    try Self.requireChange(connection)
                }
            }
            do {
                try write()
            } catch let failure as SQLiteFailure where failure.isFull {
                try giveRoom(of: key, connection)
                try write()
            }
            tidyRoom(connection)
        }
    }

    /// Records but the header, without their payloads, ordered by key: at most `limit` behind `key`.
    ///
    /// A row that cannot be read as a record is listed by its key, with nothing in it and a version that replaces it.
    public func list(after key: RecordKey?, limit: Int) async throws -> [SealedRecord] {
        try reportingFailures { connection in
            var found: [SealedRecord] = []
            // The header's key is the lowest there is.
            let start = (key ?? .header).bytes
            try connection.run(.list, [.blob(start), .integer(Int64(max(0, limit)))]) { row in
                if let record = try SealedRecord.listed(row) { found.append(record) }
                return true
            }
            return found
        }
    }

    /// Takes the lease of a record for a purpose, across all processes that use the file.
    ///
    /// Waits off this store's thread, so that a wait holds up no other call.
    public nonisolated func lease(
        _ key: RecordKey,
        for purpose: LeasePurpose,
        waiting: Duration
    ) async throws -> any StoreLease {
        try requireProcess()
        return try await leases.lease(key, for: purpose, waiting: waiting)
    }

    /// Proves that a save would work now, by a durable write that touches no record.
    public func probe() async throws {
        try reportingFailures { connection in
            try requirePlace(connection)
            try connection.transaction { try connection.run(.probe) }
        }
    }
}

extension SQLiteStore {
    /// Runs a body on the open connection and turns SQLite's failures into `StoreError`.
    func reportingFailures<Result: Sendable>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        try requireProcess()
        return try connection.use { connection in
            guard let connection else {
                throw StoreError(.inputOutput, "The store at \(path) was closed; open it again.")
            }
            do {
                return try body(connection)
            } catch let failure as SQLiteFailure {
                throw failure.storeError(path: path)
            }
        }
    }

    private nonisolated func requireProcess() throws(StoreError) {
        guard process == getpid() else {
            throw StoreError(
                .inputOutput,
                "The store at \(path) was opened before this process was forked; open it again in this process."
            )
        }
    }

    /// Refuses to write into a file that nobody will find again.
    func requirePlace(_ connection: SQLiteConnection) throws {
        guard try !connection.hasMoved() else {
            throw StoreError(.inputOutput, "\(path) was moved or removed while in use; open the store again.")
        }
    }

    /// Compares and swaps in one statement.
    private static func write(
        _ record: SealedRecord,
        replacing expected: RecordVersion?,
        room: Int64,
        _ connection: SQLiteConnection
    ) throws {
        let values = record.columns + [.integer(room)]
        if let expected {
            try connection.run(.replace, values + expected.values)
            if expected == .unreadable, connection.changedRows == 0 {
                try connection.run(.purgeUnreadable, [.blob(record.key.bytes)])
                try requireChange(connection)
                try connection.run(.make, values)
            }
        } else {
            try connection.run(.make, values)
        }
        try requireChange(connection)
    }

    private static func requireChange(_ connection: SQLiteConnection) throws(StoreError) {
        guard connection.changedRows == 1 else {
            throw StoreError(.conflict, "The record was changed meanwhile; read it again and decide anew.")
        }
    }

    private static func isRoomPromised(_ connection: SQLiteConnection) throws -> Bool {
        var isPromised = false
        try connection.run(.isRoomPromised) { _ in
            isPromised = true
            return false
        }
        return isPromised
    }

    private static func roomOfOthers(than key: RecordKey, _ connection: SQLiteConnection) throws -> Int64 {
        var sum: Int64 = 0
        try connection.run(.roomOfOthers, [.blob(key.bytes)]) { row in
            sum = row.integer(0) ?? 0
            return false
        }
        return sum
    }

    /// Gives the disk the blocks that were promised to a record, and keeps those of others.
    private func giveRoom(of key: RecordKey, _ connection: SQLiteConnection) throws {
        try connection.transaction { try room.shrink(to: Self.roomOfOthers(than: key, connection)) }
    }

    /// Gives back room that is promised to nobody any more.
    private func tidyRoom(_ connection: SQLiteConnection) {
        do {
            if try room.isHeld() {
                // The header is promised nothing: the sum over the others is the whole.
                try connection.transaction { try room.shrink(to: Self.roomOfOthers(than: .header, connection)) }
            }
            mayHaveIdleRoom = false
        } catch {
            // The save is durable; what is left over is given back by the next one.
            mayHaveIdleRoom = true
            Trace.note("giving back reserved room failed: \(error)")
        }
    }
}
