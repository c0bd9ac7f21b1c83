internal import AuthKitCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that is read piece by piece on a thread of its own; it may be a pipe.
actor OpenedFile: ByteSource {
    private let executor = BlockingExecutor(label: "authkit.file")
    private let descriptor: Int32
    private let path: String

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private init(owning descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { Descriptor.release(descriptor) }

    /// Opens a file; throws 74 when it is not there or cannot be read.
    static func open(_ path: String) throws(CommandFailure) -> OpenedFile {
        let descriptor = systemOpen(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw .inputOutput("\(path) cannot be read (\(SystemError.last)); name a file that can.")
        }
        let file = OpenedFile(owning: descriptor, path: path)
        guard FileStatus(descriptor: descriptor)?.kind != .directory else {
            throw .inputOutput("\(path) is a directory; name a file.")
        }
        return file
    }

    func piece(atMost count: Int) throws -> [UInt8] {
        try Descriptor.read(descriptor, atMost: count, named: path)
    }
}

/// The system's own, which the actor's method of that name hides.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 {
    unsafe open(path, flags)
}
