#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Small files that only their owner may read: key files and the like.
package enum SecretFile: Sendable {
    /// Reads a file whole; nil when there is none.
    ///
    /// Refuses links, files of another owner, files that others can read, and files larger than the limit.
    package static func contents(
        _ path: String,
        limit: Int,
        insecureLooseModes: Bool = false
    ) throws(StoreError) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw StoreError(.inputOutput, "\(path) cannot be opened (\(systemMessage(errno))); check who may read it.")
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw StoreError(.inputOutput, "\(path) cannot be examined (\(systemMessage(errno))).")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw StoreError(.unsupportedPlace, "\(path) is not a plain file; name one.")
        }
        guard status.st_uid == geteuid() else {
            throw StoreError(.wrongOwner, "\(path) belongs to another user; use a file of your own.")
        }
        guard insecureLooseModes || status.st_mode & 0o077 == 0 else {
            throw StoreError(.loosePermissions, "\(path) can be read by others; run: chmod 600 '\(path)'")
        }
        return try readAll(descriptor, path: path, limit: limit)
    }

    /// Makes a file with its contents, whole or not at all; false when one was there already.
    ///
    /// Its directory is made 0700 when absent.     /// The contents are synced under another name and then linked into place, so that nobody ever reads half of it.
    package static func create(
        _ path: String,
        contents: borrowing SecretBytes,
        insecureLooseModes: Bool = false
    ) throws -> Bool {
        let place = try PrivateDirectory.split(path)
        let directory = try PrivateDirectory.open(place.directory, insecureFileModes: insecureLooseModes)
        let suffix = Hexadecimal.encode(try Random.bytes(8))
        let temporary = "\(path).\(suffix)"
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw StoreError(
                .cannotCreate,
                "\(path) cannot be made (\(systemMessage(errno))); choose another directory."
            )
        }
        // Nothing depends on the temporary name any more; a leftover has 0600 and is never read.
        defer { unsafe unlink(temporary) }
        do {
            defer { close(descriptor) }
            let written = unsafe contents.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            guard written == contents.count, fsync(descriptor) == 0 else {
                throw StoreError(.inputOutput, "\(path) cannot be written (\(systemMessage(errno))); is the disk full?")
            }
        }
        guard unsafe link(temporary, path) == 0 else {
            if errno == EEXIST { return false }
            throw StoreError(
                .cannotCreate,
                "\(path) cannot be made (\(systemMessage(errno))); choose another directory."
            )
        }
        try directory.sync()
        return true
    }

    private static func readAll(_ descriptor: Int32, path: String, limit: Int) throws(StoreError) -> [UInt8] {
        var result: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe systemRead(descriptor, $0) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw StoreError(.inputOutput, "\(path) cannot be read (\(systemMessage(errno))).")
            }
            if count == 0 { return result }
            result += chunk.prefix(count)
            guard result.count <= limit else {
                throw StoreError(.corrupt, "\(path) is larger than \(limit) bytes; it is not the file that was meant.")
            }
        }
    }

    private static func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        unsafe read(descriptor, buffer.baseAddress, buffer.count)
    }

    private static func systemMessage(_ code: Int32) -> String {
        unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    }
}
