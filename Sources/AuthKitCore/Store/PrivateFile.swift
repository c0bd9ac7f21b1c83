#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// An open file or directory of ours; closed when the last reference goes.
package final class PrivateFile: Sendable {
    /// The descriptor, open as long as this lives.
    package let descriptor: Int32
    /// The path it was opened by, for messages.
    package let path: String

    /// Takes over an open descriptor.
    init(owning descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit {
        // Nothing of ours is written through a buffer, so that a failed close loses nothing.
        _ = close(descriptor)
    }

    /// Reads what the kernel knows of the open file.
    func status() throws(StoreError) -> stat {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw .system("inspect", path, errno)
        }
        return status
    }
}
