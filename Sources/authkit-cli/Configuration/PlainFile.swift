internal import AuthKitCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Reads files that hold no secret and may belong to anybody, pipes with a name among them.
actor PlainFile {
    private let executor = BlockingExecutor(label: "authkit.file")

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Reads a file of at most so many bytes; nil when there is none.
    ///
    /// Cancellation ends the wait for a pipe's other end.
    static func contents(of path: String, limit: Int) async throws -> [UInt8]? {
        try await PlainFile().read(path, limit: limit)
    }

    private func read(_ path: String, limit: Int) throws -> [UInt8]? {
        // O_NONBLOCK: a pipe that nobody writes to is opened all the same, and waited for below.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw CommandFailure.inputOutput(
                "\(path) cannot be read (\(SystemError.last)); mend its mode or choose another file."
            )
        }
        defer { Descriptor.release(descriptor) }
        guard FileStatus(descriptor: descriptor)?.kind != .directory else {
            throw CommandFailure.inputOutput("\(path) is a directory; name a file.")
        }
        var result: [UInt8] = []
        while true {
            let chunk = try Descriptor.read(descriptor, atMost: 65_536, named: path)
            if chunk.isEmpty { return result }
            result += chunk
            guard result.count <= limit else {
                throw CommandFailure(.badData, "too_large", "\(path) is larger than \(limit) bytes; choose another.")
            }
        }
    }
}
