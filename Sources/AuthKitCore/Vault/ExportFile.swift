#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// An export file, written or read from front to back on a thread of its own.
actor ExportFile {
    private static let chunkSize = 1 << 16

    private nonisolated let executor: BlockingExecutor
    private let file: PrivateFile
    /// What the file is called until it is whole; nil of one that is read.
    private let temporary: String?
    private var isPlaced = false
    private var waiting: [UInt8] = []
    private var taken = 0
    private var hasEnded = false

    private init(_ descriptor: Int32, _ path: String, temporary: String? = nil) {
        file = PrivateFile(owning: descriptor, path: path)
        self.temporary = temporary
        executor = BlockingExecutor(label: "ExportFile")
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Makes a new file 0600; one that exists is left alone and `cannot_create` thrown.
    ///
    /// It has a name of its own until `finish`, so that a death leaves no part of an export under the name asked for.
    static func create(_ path: String) throws -> ExportFile {
        let path = try absolute(path)
        var status = stat()
        guard unsafe lstat(path, &status) != 0 else { throw taken(path) }
        guard errno == ENOENT else { throw StoreError.system("create", path, errno) }
        let directory = try PrivateDirectory.split(path).directory
        let temporary = "\(directory)/.authkit-\(Hexadecimal.encode(try Random.bytes(8)))"
        let descriptor = PrivateFile.openAt(AT_FDCWD, temporary, newFile, mode: 0o600)
        guard descriptor >= 0 else { throw StoreError.system("create", path, errno) }
        return ExportFile(descriptor, path, temporary: temporary)
    }

    /// Opens a file for reading; whoever can read it needs the passphrase still, so that its mode is not asked.
    ///
    /// Throws `input_output` for what cannot be read, and for what is no file.
    static func open(_ path: String) throws -> ExportFile {
        let path = try PrivateDirectory.absolute(path)
        let descriptor = PrivateFile.openAt(AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let reason = SystemError.last.lowercased()
            throw StoreError(.inputOutput, "\(path) cannot be read (\(reason)); name an exported file that can.")
        }
        let opened = ExportFile(descriptor, path)
        // A pipe or a device could go on without end, and an import reads what it imports twice.
        guard try opened.file.status().st_mode & S_IFMT == S_IFREG else {
            throw StoreError(.inputOutput, "\(path) is not a regular file; name the exported file itself.")
        }
        return opened
    }

    /// The path, for messages.
    nonisolated var path: String { file.path }

    /// Writes bytes; they are durable after `finish`.
    func write(_ bytes: [UInt8]) throws {
        waiting += bytes
        if waiting.count >= Self.chunkSize { try flush() }
    }

    /// Makes all that was written durable and gives it the name asked for, durable too.
    ///
    /// Throws `cannot_create` when there is a file of that name by now, which is left alone.
    func finish() throws {
        try flush()
        guard fsync(file.descriptor) == 0 else { throw StoreError.system("sync", file.path, errno) }
        try takeName()
        let place = try PrivateDirectory.split(file.path)
        let descriptor = PrivateFile.openAt(AT_FDCWD, place.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StoreError.system("open", place.directory, errno) }
        let directory = PrivateFile(owning: descriptor, path: place.directory)
        guard fsync(directory.descriptor) == 0 || errno == EINVAL else {
            throw StoreError.system("sync", place.directory, errno)
        }
    }

    /// Removes a file that was not finished; one that stays is refused by whoever reads it.
    func discard() {
        if let temporary { _ = unsafe unlink(isPlaced ? file.path : temporary) }
    }

    private func takeName() throws {
        guard let temporary, !isPlaced else { return }
        if unsafe link(temporary, file.path) == 0 {
            isPlaced = true
            // Nothing depends on it any more; one that stays is 0600, sealed and never read.
            _ = unsafe unlink(temporary)
            return
        }
        guard errno != EEXIST else { throw Self.taken(file.path) }
        // The file system has no links: the name is taken first, and then what has it is replaced.
        let descriptor = PrivateFile.openAt(AT_FDCWD, file.path, Self.newFile, mode: 0o600)
        guard descriptor >= 0 else {
            throw errno == EEXIST ? Self.taken(file.path) : StoreError.system("create", file.path, errno)
        }
        _ = close(descriptor)  // Nothing was written through it.
        guard unsafe rename(temporary, file.path) == 0 else {
            let number = errno
            _ = unsafe unlink(file.path)
            throw StoreError.system("create", file.path, number)
        }
        isPlaced = true
    }

    private static let newFile = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW

    private static func taken(_ path: String) -> StoreError {
        StoreError(.cannotCreate, "\(path) exists already; name a new file for the export.")
    }

    /// Reads exactly so many bytes; nil at the end, and when there are fewer.
    func read(_ count: Int) throws -> [UInt8]? {
        while waiting.count - taken < count, !hasEnded { try fill() }
        guard waiting.count - taken >= count else { return nil }
        defer { taken += count }
        return Array(waiting[taken..<taken + count])
    }

    /// Whether everything was read.
    func isAtEnd() throws -> Bool {
        if waiting.count == taken, !hasEnded { try fill() }
        return waiting.count == taken
    }

    /// Goes back to the front.
    func rewind() throws {
        guard lseek(file.descriptor, 0, SEEK_SET) == 0 else { throw StoreError.system("read", file.path, errno) }
        waiting = []
        taken = 0
        hasEnded = false
    }

    private func fill() throws {
        waiting.removeFirst(taken)
        taken = 0
        var chunk = [UInt8](repeating: 0, count: Self.chunkSize)
        let count = unsafe chunk.withUnsafeMutableBytes { unsafe systemRead(file.descriptor, $0) }
        if count < 0, errno == EINTR { return }
        guard count >= 0 else { throw StoreError.system("read", file.path, errno) }
        hasEnded = count == 0
        waiting += chunk[..<count]
    }

    private func flush() throws {
        var written = 0
        while written < waiting.count {
            let count = unsafe waiting.withUnsafeBytes { bytes in
                unsafe systemWrite(file.descriptor, UnsafeRawBufferPointer(rebasing: bytes[written...]))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw StoreError.system("write", file.path, count < 0 ? errno : EIO) }
            written += count
        }
        waiting = []
    }

    private static func absolute(_ path: String) throws -> String {
        let place = try PrivateDirectory.split(path)
        return place.directory == "/" ? "/\(place.name)" : "\(place.directory)/\(place.name)"
    }
}

// Free functions, where the C names are not hidden by our own.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    unsafe read(descriptor, buffer.baseAddress, buffer.count)
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
    unsafe write(descriptor, buffer.baseAddress, buffer.count)
}
