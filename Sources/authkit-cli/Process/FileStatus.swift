#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What the system says of a file: its kind, owner and mode.
struct FileStatus: Sendable, Hashable {
    /// The kinds that matter here.
    enum Kind: Sendable, Hashable {
        /// A regular file.
        case file
        /// A directory.
        case directory
        /// A Unix socket.
        case socket
        /// Anything else.
        case other
    }

    /// The kind.
    let kind: Kind
    /// The owner.
    let owner: UInt32
    /// The permission bits.
    let mode: UInt32
    /// The length in bytes.
    let size: Int

    /// Asks for a path, through links unless told otherwise; nil when there is none or it cannot be seen.
    init?(_ path: String, followingLinks: Bool = true) {
        var status = stat()
        guard unsafe (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        self.init(status)
    }

    /// Asks for an open descriptor.
    init?(descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .file
        case S_IFDIR: kind = .directory
        case S_IFSOCK: kind = .socket
        default: kind = .other
        }
        owner = status.st_uid
        mode = UInt32(status.st_mode & 0o7777)
        size = Int(status.st_size)
    }

    /// Whether this process may read a path.
    static func isReadable(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }

    /// Whether this process may run a path.
    static func isExecutable(_ path: String) -> Bool { unsafe access(path, X_OK) == 0 }

    /// Whether anyone but the owner may read, write or search it.
    var isOpenToOthers: Bool { mode & 0o077 != 0 }
}
