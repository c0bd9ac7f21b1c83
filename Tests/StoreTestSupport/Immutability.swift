internal import Foundation

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Files and directories that nobody may change for a while, root included (FS_IMMUTABLE_FL of ioctl_iflags(2)).
///
/// Stands for a file system that became read-only under an open store. The kernel refuses to remount one as long as a
/// file on it is open for writing, as every store's lock is; a file that is immutable refuses writes though it is open.
/// Not for memory-mapped files: on some file systems the next write through the map is SIGBUS.
package enum Immutability {
    /// It cannot be changed.
    package struct Failure: Error {
        let path: String
        let number: Int32
    }

    // FS_IOC_GETFLAGS and FS_IOC_SETFLAGS where a long has eight bytes; the kernel reads and writes an int.
    private static let get: UInt = 0x8008_6601
    private static let set: UInt = 0x4008_6602
    private static let flag: UInt32 = 0x10

    /// Whether it is to be had here, and stops writes through descriptors that are open; tried once.
    package static let isPossible: Bool = {
        let path = NSTemporaryDirectory() + "authkit-immutable-\(UUID().uuidString)"
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        defer {
            close(descriptor)
            unsafe unlink(path)
        }
        guard (try? change([path], to: true)) != nil else { return false }
        let isKept = unsafe write(descriptor, [UInt8](repeating: 0, count: 1), 1) < 0
        return (try? change([path], to: false)) != nil && isKept
    }()

    /// Makes files and directories immutable, or changeable again.
    package static func change(_ paths: [String], to isImmutable: Bool) throws {
        for path in paths {
            let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw Failure(path: path, number: errno) }
            defer { close(descriptor) }
            var flags: UInt32 = 0
            guard unsafe ioctl(descriptor, get, &flags) == 0 else { throw Failure(path: path, number: errno) }
            flags = isImmutable ? flags | flag : flags & ~flag
            guard unsafe ioctl(descriptor, set, &flags) == 0 else { throw Failure(path: path, number: errno) }
        }
    }
}
