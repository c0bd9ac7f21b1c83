#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Reads files that hold no secret and may belong to anybody.
enum PlainFile {
    /// Reads a file of at most so many bytes; nil when there is none.
    static func contents(of path: String, limit: Int) throws(CommandFailure) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw .inputOutput("\(path) cannot be read (\(SystemError.last)); mend its mode or choose another file.")
        }
        defer { close(descriptor) }
        guard FileStatus(descriptor: descriptor)?.kind != .directory else {
            throw .inputOutput("\(path) is a directory; name a file.")
        }
        return try PrivatePlace.readAll(descriptor, path, limit: limit)
    }
}
