internal import AuthKitCore

/// Opens stores on the executor that they will run on: directory, lock file, format, what the dead have left.
actor FileOpener {
    private static let formatName = "format"
    private static let formatWord = "AuthKit file store "

    private let executor: BlockingExecutor

    init(on executor: BlockingExecutor) {
        self.executor = executor
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Opens the store in a directory, made when absent.
    func open(_ path: String, _ options: FileStore.Options) async throws -> (RecordFolder, KernelLock) {
        let directory = try PrivateDirectory.open(path, insecureFileModes: options.insecureFileModes)
        let folder = RecordFolder(directory: directory)
        // Before the lock file is made: a directory of something else stays as it was.
        if try format(of: directory) == nil { try requireNothingElse(in: directory) }
        let lock = try KernelLock.open(RecordFolder.lockName, in: directory)
        if try format(of: directory) == nil {
            guard try await lock.lock(.setup, within: options.busyTimeout, time: options.time) else {
                throw StoreError(
                    .busy,
                    "Another process is making the store at \(path); try again when it has finished."
                )
            }
            // Where this fails, the byte goes with the lock file's descriptor.
            if try format(of: directory) == nil { try makeFormat(in: folder) }
            try lock.unlock(.setup)
        }
        try sweep(folder, lock)
        return (folder, lock)
    }

    /// Checks the format; nil when there is none yet.
    private func format(of directory: PrivateDirectory) throws(StoreError) -> Int? {
        guard let file = try formatFile(in: directory) else { return nil }
        let text = String(decoding: try file.read(at: 0, count: 64), as: UTF8.self)
        guard text.hasPrefix(Self.formatWord), let format = Int(text.dropFirst(Self.formatWord.count).dropLast(1))
        else {
            throw try isStore(directory) ? Self.damagedFormat(directory) : Self.foreign(directory.path)
        }
        guard format <= Int(RecordFile.format) else { throw RecordFolder.newer(directory.path, format: "\(format)") }
        return format
    }

    private func formatFile(in directory: PrivateDirectory) throws(StoreError) -> PrivateFile? {
        do throws(StoreError) {
            return try directory.openExisting(Self.formatName)
        } catch {
            guard error.code == .unsupportedPlace, try isStore(directory) else { throw error }
            throw Self.damagedFormat(directory)
        }
    }

    /// Whether there are files in it that only a store has.
    private func isStore(_ directory: PrivateDirectory) throws(StoreError) -> Bool {
        var isStore = false
        try directory.forEachName { name in
            if name == RecordFolder.lockName || RecordKey(fileName: name) != nil { isStore = true }
        }
        return isStore
    }

    private func makeFormat(in folder: RecordFolder) throws(StoreError) {
        let text = Array("\(Self.formatWord)\(RecordFile.format)\n".utf8)
        try folder.writeNew(text, as: Self.formatName + RecordFolder.newSuffix, replacing: Self.formatName)
        try folder.directory.sync()
    }

    /// Refuses a directory with other files in it: a store would be lost among them.
    private func requireNothingElse(in directory: PrivateDirectory) throws(StoreError) {
        let own = [RecordFolder.lockName, Self.formatName, Self.formatName + RecordFolder.newSuffix]
        var names: Set<String> = []
        try directory.forEachName { names.insert($0) }
        // The format first: where it is there by now, another process has made the store meanwhile.
        if !names.contains(Self.formatName), !names.isSubset(of: own) { throw Self.foreign(directory.path) }
    }

    /// Removes what writers that died have left; what a living one writes is locked.
    private func sweep(_ folder: RecordFolder, _ lock: KernelLock) throws(StoreError) {
        var left: [(name: String, key: RecordKey)] = []
        try folder.directory.forEachName { name in
            for suffix in [RecordFolder.newSuffix, RecordFolder.roomSuffix] where name.hasSuffix(suffix) {
                if let key = RecordKey(fileName: String(name.dropLast(suffix.count))) { left.append((name, key)) }
            }
        }
        for (name, key) in left {
            let range = KernelLockRange.writing(key)
            guard try lock.tryLock(range) else { continue }
            // Room is promised to a record that is there; its first save may have died before it was.
            let isPromised = try folder.directory.has(RecordFolder.name(of: key))
            if name.hasSuffix(RecordFolder.newSuffix) || !isPromised {
                // What cannot be removed is in the way of one record's save, which says so.
                folder.tidy { () throws(StoreError) in _ = try folder.directory.remove(name) }
            }
            try lock.unlock(range)
        }
    }

    /// What the file held is known, and every record says its own format.
    private static func damagedFormat(_ directory: PrivateDirectory) -> StoreError {
        let path = directory.path(of: formatName)
        let quoted = path.shellQuoted
        return StoreError(
            .corrupt,
            "\(path) is damaged, the records beside it need not be; put it back: mv \(quoted) \(quoted).old; umask 077; "
                + "echo '\(formatWord)\(RecordFile.format)' > \(quoted)"
        )
    }

    private static func foreign(_ path: String) -> StoreError {
        StoreError(.corrupt, "\(path) holds files of something else; choose another directory for the store.")
    }
}
