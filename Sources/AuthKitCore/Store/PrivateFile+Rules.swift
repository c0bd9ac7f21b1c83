#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

extension PrivateFile {
    /// Checks that something is ours alone: the owner first, then the mode.
    ///
    /// Throws `wrong_owner`, or `loose_permissions` with the command that mends it.
    static func requireOwn(
        _ status: stat,
        at path: String,
        mode allowed: mode_t,
        insecureFileModes: Bool
    ) throws(StoreError) {
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
            "Others may use \(path) (mode \(mode)); run: chmod \(String(allowed, radix: 8)) \(path.shellQuoted)"
        )
    }

    /// Checks that something is a regular file.
    static func requireRegular(_ status: stat, at path: String) throws(StoreError) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFLNK: throw .system("open", path, ELOOP)
        default: throw .system("open", path, ENXIO)
        }
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
        case ENXIO, EISDIR:
            StoreError(.unsupportedPlace, "\(path) is not a regular file; choose another name.")
        default:
            StoreError(.inputOutput, "Could not \(action) \(path): \(text(number)); mend that and try again.")
        }
    }

    private static func text(_ number: Int32) -> String { SystemError.text(number).lowercased() }
}
