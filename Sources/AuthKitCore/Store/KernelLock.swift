#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Locks on byte ranges of one file that is never unlinked; a lock dies with its holder.
///
/// They are open-file-description locks (fcntl(2), Linux 3.15): unlike POSIX locks they exclude two holders in one
/// process, and closing some other descriptor of the file does not drop them. The file's bytes mean nothing.
package final class KernelLock: Sendable {
    /// F_OFD_SETLK of the kernel's fcntl.h, the same on every architecture; not in the C library's Swift module.
    private static let setLock: Int32 = 37

    private let directory: PrivateDirectory
    private let name: String
    private let file: PrivateFile

    private init(owning file: PrivateFile, name: String, in directory: PrivateDirectory) {
        self.file = file
        self.name = name
        self.directory = directory
    }

    /// Opens the lock file, made 0600 when absent.
    package static func open(_ name: String, in directory: PrivateDirectory) throws(StoreError) -> KernelLock {
        KernelLock(owning: try directory.openFile(name), name: name, in: directory)
    }

    /// Takes a range if nobody holds it; never waits.
    package func tryLock(_ range: KernelLockRange) throws(StoreError) -> Bool {
        guard try set(Int16(F_WRLCK), range) else { return false }
        guard try isInPlace() else {
            // The range is of a file that nobody else will look at; nothing depends on its release.
            _ = try? set(Int16(F_UNLCK), range)
            throw StoreError(
                .inputOutput,
                "The lock file \(file.path) was removed or replaced while in use; start again, and leave the file alone."
            )
        }
        return true
    }

    /// Gives a range back.
    package func unlock(_ range: KernelLockRange) throws(StoreError) {
        _ = try set(Int16(F_UNLCK), range)
    }

    /// Whether the file that is locked is the one that others find, by the same path.
    package func isInPlace() throws(StoreError) -> Bool {
        guard try directory.isInPlace() else { return false }
        return try directory.holds(file, as: name)
    }

    private func set(_ type: Int16, _ range: KernelLockRange) throws(StoreError) -> Bool {
        for _ in 0..<64 {
            var request = flock()
            request.l_type = type
            request.l_whence = Int16(SEEK_SET)
            request.l_start = off_t(range.offset)
            request.l_len = 1
            // fcntl(2): l_pid must be zero for open-file-description locks.
            request.l_pid = 0
            if unsafe fcntl(file.descriptor, Self.setLock, &request) == 0 { return true }
            switch errno {
            case EAGAIN, EACCES: return false
            case EINTR: continue
            case EINVAL, EOPNOTSUPP:
                throw StoreError(
                    .unsupportedPlace,
                    "The place of \(file.path) cannot keep locks; choose a directory on a local disk, or memory:."
                )
            default: throw .system("lock", file.path, errno)
            }
        }
        throw .system("lock", file.path, EINTR)
    }
}
