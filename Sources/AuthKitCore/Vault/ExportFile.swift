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
    private var waiting: [UInt8] = []
    private var taken = 0
    private var hasEnded = false

    private init(_ file: PrivateFile, on executor: BlockingExecutor) {
        self.file = file
        self.executor = executor
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Makes a new file 0600; one that exists is left alone and `cannot_create` thrown.
    static func create(_ path: String) throws -> ExportFile {
        let path = try absolute(path)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let descriptor = PrivateFile.openAt(AT_FDCWD, path, flags, mode: 0o600)
        guard descriptor >= 0 else {
            guard errno == EEXIST else { throw StoreError.system("create", path, errno) }
            throw StoreError(.cannotCreate, "\(path) exists already; name a new file for the export.")
        }
        return ExportFile(PrivateFile(owning: descriptor, path: path), on: BlockingExecutor(label: "ExportFile"))
    }

    /// Opens a file for reading; whoever can read it needs the passphrase still, so that its mode is not asked.
    static func open(_ path: String) throws -> ExportFile {
        let path = try absolute(path)
        let descriptor = PrivateFile.openAt(AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw StoreError.system("open", path, errno) }
        let file = PrivateFile(owning: descriptor, path: path)
        try PrivateFile.requireRegular(file.status(), at: path)
        return ExportFile(file, on: BlockingExecutor(label: "ExportFile"))
    }

    /// The path, for messages.
    nonisolated var path: String { file.path }

    /// Writes bytes; they are durable after `finish`.
    func write(_ bytes: [UInt8]) throws {
        waiting += bytes
        if waiting.count >= Self.chunkSize { try flush() }
    }

    /// Makes all that was written durable, the file's name too.
    func finish() throws {
        try flush()
        guard fsync(file.descriptor) == 0 else { throw StoreError.system("sync", file.path, errno) }
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
        _ = unsafe unlink(file.path)
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
