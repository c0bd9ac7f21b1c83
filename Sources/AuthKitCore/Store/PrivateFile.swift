#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// An open file or directory of ours; closed when the last reference goes.
package final class PrivateFile: Sendable {
    /// How often a call is made again because a signal came in between.
    static let interruptionLimit = 64

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

    /// Opens a file for reading; nil when there is none.
    ///
    /// Its directory may be anybody's. Throws `unsupported_place` for a link, a pipe or another thing that is no file,
    /// `wrong_owner` or `loose_permissions`; it never waits for anyone.
    package static func open(
        reading path: String,
        insecureFileModes: Bool = false
    ) throws(StoreError) -> PrivateFile? {
        let path = try PrivateDirectory.absolute(path)
        // O_NONBLOCK: a FIFO must not hold us up; it is refused below.
        let descriptor = openAt(AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .system("open", path, errno)
        }
        let file = PrivateFile(owning: descriptor, path: path)
        let status = try file.status()
        try requireRegular(status, at: path)
        try requireOwn(status, at: path, mode: 0o600, insecureFileModes: insecureFileModes)
        return file
    }

    /// Reads what the kernel knows of the open file.
    func status() throws(StoreError) -> stat {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw .system("inspect", path, errno)
        }
        return status
    }

    /// Reads from where the descriptor stands to the end, into memory that is wiped.
    ///
    /// Throws `corrupt` when there is more than the limit.
    package func read(limit: Int) throws(StoreError) -> SecretBytes {
        let contents = try unsafe SecretBytes.filled(upTo: limit + 1) { buffer throws(StoreError) in
            var filled = 0
            while filled < buffer.count {
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                let count = try transfer("read") { unsafe systemRead(descriptor, rest) }
                if count == 0 { break }
                filled += count
            }
            return filled
        }
        guard contents.count <= limit else {
            throw StoreError(.corrupt, "\(path) is larger than \(limit) bytes; name the file that was meant.")
        }
        return contents
    }

    /// Writes all bytes and makes them durable.
    package func write(_ contents: borrowing SecretBytes) throws(StoreError) {
        try unsafe contents.withUnsafeBytes { bytes throws(StoreError) in
            var written = 0
            while written < bytes.count {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
                let count = try transfer("write") { unsafe systemWrite(descriptor, rest) }
                // write(2) moves at least a byte of a regular file, or fails.
                guard count > 0 else { throw .system("write", path, EIO) }
                written += count
            }
        }
        try sync()
    }

    /// Calls `openat` again when a signal came in between.
    static func openAt(_ directory: Int32, _ path: String, _ flags: Int32, mode: mode_t = 0) -> Int32 {
        for _ in 0..<interruptionLimit {
            let descriptor = unsafe openat(directory, path, flags, mode)
            if descriptor >= 0 || errno != EINTR { return descriptor }
        }
        return -1
    }

    /// Makes a call again when a signal came in between; throws when it fails.
    func transfer(_ action: String, _ call: () -> Int) throws(StoreError) -> Int {
        for _ in 0..<Self.interruptionLimit {
            let count = call()
            if count >= 0 { return count }
            guard errno == EINTR else { throw .system(action, path, errno) }
        }
        throw .system(action, path, EINTR)
    }
}

// Free functions, where the C names are not hidden by our own.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    unsafe read(descriptor, buffer.baseAddress, buffer.count)
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
    unsafe write(descriptor, buffer.baseAddress, buffer.count)
}
