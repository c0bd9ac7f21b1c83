#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// One file that is read whole, or replaced durably, by the bare calls.
struct RawFile {
    private let folder: String
    private let path: String

    init(_ name: String, in folder: String) {
        self.folder = folder
        path = "\(folder)/\(name)"
    }

    /// Reads it; how many bytes it has.
    func load() throws -> Int {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BenchmarkError("\(path) does not open.") }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw BenchmarkError("\(path) has no status.") }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        return unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, 0) }
    }

    /// Writes a temporary file, syncs it, renames it into place, and syncs the directory.
    func save(_ bytes: [UInt8]) throws {
        let temporary = path + ".raw"
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw BenchmarkError("\(temporary) cannot be made.") }
        let count = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        guard count == bytes.count, fsync(descriptor) == 0, close(descriptor) == 0,
            unsafe rename(temporary, path) == 0
        else { throw BenchmarkError("\(path) cannot be written.") }
        let directory = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw BenchmarkError("\(folder) does not open.") }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw BenchmarkError("\(folder) cannot be synced.") }
    }
}
