#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

extension PrivateDirectory {
    /// Checks that something is ours alone: the owner first, then the mode.
    ///
    /// Throws `wrong_owner`, or `loose_permissions` with the command that mends it.
    func require(_ status: stat, at path: String, mode allowed: mode_t) throws(StoreError) {
        guard status.st_uid == geteuid() else {
            throw StoreError(
                .wrongOwner,
                "\(path) belongs to user \(status.st_uid), not to user \(geteuid()); "
                    + "run as its owner or choose another place."
            )
        }
        guard !insecureFileModes, status.st_mode & 0o077 != 0 else { return }
        let mode = String(status.st_mode & 0o777, radix: 8)
        throw StoreError(
            .loosePermissions,
            "Others may use \(path) (mode \(mode)); run: chmod \(String(allowed, radix: 8)) \(Self.shellQuoted(path))"
        )
    }

    /// The path as one word of a shell's command line.
    static func shellQuoted(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard !isPlain || path.hasPrefix("-") else { return path }
        let quoted = path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
        return "'\(quoted)'"
    }
}

extension StoreError {
    /// Makes the error of a failed system call: what was tried, on what, and the error number it left.
    static func system(_ action: String, _ path: String, _ number: Int32) -> StoreError {
        switch number {
        case ENOSPC, EDQUOT, EFBIG:
            StoreError(.full, "There is no room for \(path); free some space, or choose another place.")
        case EROFS:
            StoreError(
                .cannotCreate,
                "\(path) is in a read-only place; choose another directory, or memory: to keep nothing on disk."
            )
        case EACCES, EPERM:
            StoreError(
                .cannotCreate,
                "Permission to \(action) \(path) is denied; make its directory writable or choose another."
            )
        case ENOTDIR, ENAMETOOLONG, ENOENT:
            StoreError(.cannotCreate, "\(path) is no usable path (\(text(number))); choose another.")
        case ELOOP:
            StoreError(.unsupportedPlace, "\(path) is a symbolic link; name the place that it leads to.")
        default:
            StoreError(.inputOutput, "Could not \(action) \(path): \(text(number)); mend that and try again.")
        }
    }

    /// The system's words for an error number.
    private static func text(_ number: Int32) -> String {
        // Safe between threads in musl and in glibc from 2.32 on.
        guard let words = unsafe strerror(number) else { return "error \(number)" }
        return unsafe String(cString: words).lowercased()
    }
}
