#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Keeps the command's files to their owner: 0600 in 0700, of the same user.
struct PrivatePlace: Sendable {
    /// The user whose files they must be.
    let user: UInt32
    /// Whether looser modes are accepted, for mounts that keep none.
    let insecureFileModes: Bool
    /// The person's home directory, which is more than ours.
    var home: String?

    /// Checks a directory that exists, and says nothing of one that does not.
    ///
    /// One that is `shared` holds a file of ours that somebody placed there: it is refused only where others could
    /// replace the file.
    func checkDirectory(_ path: String, shared: Bool = false) throws(CommandFailure) {
        guard let status = FileStatus(path) else { return }
        guard status.kind == .directory else {
            throw CommandFailure(.cannotCreate, "cannot_create", "\(path) is not a directory; choose another place.")
        }
        if shared {
            if status.owner != user, status.owner != 0 { throw Self.wrongOwner(path, status.owner) }
            guard status.isWritableByOthers, !insecureFileModes else { return }
            throw .configuration(
                "Others can write to \(path) (mode \(String(status.mode, radix: 8))); "
                    + "keep the file in a directory of your own.",
                code: "loose_permissions"
            )
        }
        if status.owner == user, status.isOpenToOthers, !insecureFileModes, isEverybodys(path, status) {
            throw .configuration(
                "\(path) is open to other users and not authkit's alone; set AUTHKIT_HOME to a directory of your own.",
                code: "loose_permissions"
            )
        }
        try check(status, path, mend: "chmod 700 \(Self.shellQuoted(path))")
    }

    /// Whether closing a directory would lock out more than authkit's files: nobody is told to do that.
    private func isEverybodys(_ path: String, _ status: FileStatus) -> Bool {
        // Sticky: made for many users.
        if status.mode & 0o1000 != 0 { return true }
        let parts = Self.resolved(path).split(separator: "/")
        guard parts.count > 1 else { return true }
        if parts.count == 2, parts[0] == "usr" || parts[0] == "var" { return true }
        // The home itself, and what it lies in.
        return home.map { Self.resolved($0).split(separator: "/").starts(with: parts) } ?? false
    }

    /// Makes a directory, and those above it, if it is not there; checks it.
    func makeDirectory(_ path: String, shared: Bool = false) throws(CommandFailure) {
        if FileStatus(path) == nil {
            let parent = Places.parent(of: path)
            if FileStatus(parent) == nil {
                try makeDirectory(parent)
            } else if let status = FileStatus(parent), status.owner != user, status.owner != 0 {
                throw Self.wrongOwner(parent, status.owner)
            }
            if unsafe mkdir(path, 0o700) != 0, errno != EEXIST {
                throw CommandFailure(
                    .cannotCreate,
                    "cannot_create",
                    "\(path) cannot be made (\(SystemError.last)); set AUTHKIT_HOME to a directory of your own."
                )
            }
        }
        try checkDirectory(path, shared: shared)
    }

    /// Reads a file of at most so many bytes; nil when there is none.
    func contents(of path: String, limit: Int) throws(CommandFailure) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw .inputOutput("\(path) cannot be read (\(SystemError.last)); mend its mode or choose another file.")
        }
        defer { Descriptor.release(descriptor) }
        guard let status = FileStatus(descriptor: descriptor), status.kind == .file else {
            throw .inputOutput("\(path) is not a file; choose another.")
        }
        try check(status, path, mend: "chmod 600 \(Self.shellQuoted(path))")
        return try Self.readAll(descriptor, path, limit: limit)
    }

    /// Checks a file's owner and mode.
    func check(_ status: FileStatus, _ path: String, mend: String) throws(CommandFailure) {
        guard status.owner == user else { throw Self.wrongOwner(path, status.owner) }
        if status.isOpenToOthers, !insecureFileModes {
            let mode = String(status.mode, radix: 8)
            throw .configuration(
                "\(path) is open to other users (mode \(mode)); run: \(mend)",
                code: "loose_permissions"
            )
        }
    }

    /// Replaces a file atomically: temporary file beside it, fsync, rename, fsync of the directory.
    ///
    /// Mode 0600.
    ///
    /// Where the path is a link, what it leads to is replaced and the link stays.
    func replace(_ path: String, with bytes: [UInt8]) throws(CommandFailure) {
        let target = Self.resolved(path)
        // Others who replace the file at once hold the same lock, or use a name of their own process.
        let temporary = "\(target).\(getpid()).new"
        // What a killed process left; where it cannot go, making the file says why.
        _ = unsafe unlink(temporary)
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure(
                .cannotCreate,
                "cannot_create",
                "\(target) cannot be written (\(SystemError.last)); make its directory writable or choose another."
            )
        }
        var failure: Int32 = 0
        if fchmod(descriptor, 0o600) != 0, !insecureFileModes { failure = errno }
        if failure == 0 { failure = Self.writeAll(descriptor, bytes) }
        if failure == 0, fsync(descriptor) != 0 { failure = errno }
        if close(descriptor) != 0, failure == 0 { failure = errno }
        if failure == 0, unsafe rename(temporary, target) != 0 { failure = errno }
        if failure != 0 {
            // The first failure is the one to tell; a leftover is 0600 and never read.
            _ = unsafe unlink(temporary)
            throw .inputOutput(
                "\(target) cannot be written (\(SystemError.text(failure))); what was there is unchanged."
            )
        }
        try Self.syncDirectory(Places.parent(of: target))
    }

    /// Makes a directory's entries durable.
    static func syncDirectory(_ path: String) throws(CommandFailure) {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .inputOutput("\(path) cannot be opened (\(SystemError.last)).") }
        defer { Descriptor.release(descriptor) }
        // Some file systems cannot sync a directory and say so with EINVAL: then the rename is as durable as it gets.
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw .inputOutput("\(path) cannot be synced to disk (\(SystemError.last)).")
        }
    }

    /// A path as one word of a shell's command line.
    static func shellQuoted(_ text: String) -> String {
        let isPlain =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                    || "/._-+@:,%".utf8.contains(byte)
            }
        guard !isPlain else { return text }
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    private static func wrongOwner(_ path: String, _ owner: UInt32) -> CommandFailure {
        .configuration(
            "\(path) belongs to another user (uid \(owner)); set AUTHKIT_HOME to a directory of your own.",
            code: "wrong_owner"
        )
    }

    private static func resolved(_ path: String) -> String {
        guard let text = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }

    /// Reads an open descriptor to its end.
    private static func readAll(_ descriptor: Int32, _ path: String, limit: Int) throws(CommandFailure) -> [UInt8] {
        var result: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .inputOutput("\(path) cannot be read (\(SystemError.last)).") }
            if count == 0 { return result }
            result += chunk[..<count]
            guard result.count <= limit else {
                throw CommandFailure(.badData, "too_large", "\(path) is larger than \(limit) bytes; choose another.")
            }
        }
    }

    /// Writes all bytes; returns the error number, 0 when all is well.
    static func writeAll(_ descriptor: Int32, _ bytes: [UInt8]) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                return errno
            }
            rest = rest.dropFirst(count)
        }
        return 0
    }
}

extension FileStatus {
    /// Whether anyone but the owner may make, replace or remove what lies in it.
    fileprivate var isWritableByOthers: Bool { mode & 0o022 != 0 }
}
