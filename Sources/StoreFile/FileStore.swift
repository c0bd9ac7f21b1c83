public import AuthKitCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A store in a directory, a file for each record, that any number of processes of one machine share.
///
/// A record is written under another name, synced, and renamed into place: readers see the old one or the new one, and
/// so does whoever comes after a crash. The directory holds `format`, `lock` (leases and writers; never unlinked),
/// `claims` (of workers), the records, named for the hexadecimal digits of their keys, and beside a record `….new` while
/// it is written and `….room` while disk space is held for its next save. Lists and claims read the front of every
/// file: for thousands of records; `SQLiteStore` is for more.
public actor FileStore: DueTokenStore {
    /// The absolute path of the directory.
    public nonisolated let path: String
    private nonisolated let executor: BlockingExecutor
    private nonisolated let leases: LeaseQueue
    private nonisolated let process: Int32
    let folder: RecordFolder
    let options: Options
    private let lock: KernelLock
    private var listing = KeyListing()
    /// Whether a change of entries was made and not synced: no call here tells what is stored before it is.
    private var isUnsynced = false

    private init(_ folder: RecordFolder, lock: KernelLock, options: Options, on executor: BlockingExecutor) {
        path = folder.directory.path
        self.folder = folder
        self.lock = lock
        self.options = options
        self.executor = executor
        leases = LeaseQueue(lock: lock, time: options.time)
        process = getpid()
    }

    /// The thread queue of this store: disks block.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Opens the store in a directory, made when absent.
    ///
    /// Throws `cannot_create`, `loose_permissions` (with the command that mends it), `wrong_owner`, `unsupported_place`
    /// (a network file system), `corrupt` (a directory of something else), `newer_format`, `busy`, `full` or
    /// `input_output`.
    public static func open(path: String, options: Options = Options()) async throws -> FileStore {
        let executor = BlockingExecutor(label: "FileStore")
        let (folder, lock) = try await FileOpener(on: executor).open(path, options)
        return FileStore(folder, lock: lock, options: options, on: executor)
    }

    /// Reads a record; nil when there is none.
    ///
    /// Throws `corrupt`, naming the file, when it is none of ours or was cut off, and `newer_format`.
    public func load(_ key: RecordKey) async throws -> SealedRecord? {
        try requirePlace()
        if isUnsynced { try sync() }
        return try folder.load(key)
    }

    /// Writes a record if what is stored has the version expected; throws `conflict` otherwise.
    ///
    /// Durable on return. A file that cannot be read is replaced by whoever expects the version that it is listed with,
    /// and told as `corrupt` or `newer_format` to anybody else. The lease is not asked: leases here end with their
    /// holders only, and the version decides.
    public func save(
        _ record: SealedRecord,
        replacing expected: RecordVersion?,
        under lease: (any StoreLease)?
    ) async throws {
        try await locked(.writing(record.key)) {
            guard try folder.version(of: record.key, expecting: expected) == expected else { throw Self.conflict }
            try folder.replace(with: record)
            try sync()
        }
    }

    /// Removes a record for good if it has the version expected; throws `conflict` otherwise, and as `save` does.
    public func purge(_ key: RecordKey, expecting expected: RecordVersion) async throws {
        try await locked(.writing(key)) {
            guard try folder.version(of: key, expecting: expected) == expected else { throw Self.conflict }
            try folder.remove(key)
            try sync()
        }
    }

    /// Records but the header, without their payloads, ordered by key: at most `limit` behind `key`.
    ///
    /// A file that cannot be read is listed by its key, with nothing in it and a version that replaces it, so that the
    /// vault names it and the others stay usable.
    public func list(after key: RecordKey?, limit: Int) async throws -> [SealedRecord] {
        try requirePlace()
        if isUnsynced { try sync() }
        var found: [SealedRecord] = []
        guard limit > 0 else { return [] }
        for next in try listing.keys(behind: key ?? .header, in: folder) {
            do throws(StoreError) {
                // One that was purged meanwhile is passed over.
                if let record = try folder.head(next) { found.append(record) }
            } catch {
                guard error.isDamage else { throw error }
                Trace.note("\(error)")
                if let husk = try folder.husk(next) { found.append(husk) }
            }
            if found.count == limit { break }
        }
        return found
    }

    /// Takes the lease of a record for a purpose, across all processes that use the directory.
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
        try await locked(.setup) { try folder.probe() }
    }

    /// Runs a body that blocks while a byte of the lock file is held against other processes.
    ///
    /// Within the process this actor is the lock: nothing here awaits between taking the byte and giving it back.
    func locked<Result>(_ range: KernelLockRange, _ body: () throws -> Result) async throws -> Result {
        let time = options.time
        let deadline = Deadline(options.busyTimeout, from: time.now)
        var pause = Duration.microseconds(200)
        while true {
            try requirePlace()
            if try lock.tryLock(range) { break }
            guard !deadline.hasPassed(at: time.now) else {
                throw StoreError(.busy, "Another process is writing to \(path); try again when it has finished.")
            }
            try await time.sleep(for: pause * Double.random(in: 0.5...1))
            pause = min(pause * 1.5, .milliseconds(5))
        }
        defer {
            do {
                try lock.unlock(range)
            } catch {
                // It dies with the process at the latest; until then others are told that this one writes.
                Trace.note("giving a lock back failed: \(error)")
            }
        }
        if isUnsynced { try sync() }
        return try body()
    }

    private func sync() throws(StoreError) {
        isUnsynced = true
        try folder.directory.sync()
        isUnsynced = false
    }
}

extension FileStore {
    private static let conflict = StoreError(
        .conflict,
        "The record was changed meanwhile; read it again and decide anew."
    )

    private nonisolated func requireProcess() throws(StoreError) {
        guard process == getpid() else {
            throw StoreError(
                .inputOutput,
                "The store at \(path) was opened before this process was forked; open it again in this process."
            )
        }
    }

    /// Refuses to work in a directory that nobody will find again.
    private func requirePlace() throws(StoreError) {
        try requireProcess()
        guard try folder.directory.isInPlace() else {
            throw StoreError(.inputOutput, "\(path) was moved or removed while in use; open the store again.")
        }
    }
}
