#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension PrivatePlace {
    /// Makes a file, 0600, where none is: 73 when the path is taken, by a link too, or its directory cannot be written.
    ///
    /// What cannot be written whole and made durable is removed again.
    static func create(_ path: String, with bytes: [UInt8]) throws(CommandFailure) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            let advice =
                errno == EEXIST ? "it is there already; choose another name" : "choose a place that can be written"
            throw CommandFailure(
                .cannotCreate,
                "cannot_create",
                "\(path) cannot be made (\(SystemError.last)): \(advice)."
            )
        }
        var failure = writeAll(descriptor, bytes)
        if failure == 0, fsync(descriptor) != 0 { failure = errno }
        if close(descriptor) != 0, failure == 0 { failure = errno }
        guard failure != 0 else { return try syncDirectory(Places.parent(of: path)) }
        // The first failure is the one to tell; a leftover is 0600.
        _ = unsafe unlink(path)
        throw .inputOutput("\(path) cannot be written (\(SystemError.text(failure))); choose another place.")
    }
}
