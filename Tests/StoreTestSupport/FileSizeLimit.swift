#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The limit on the size of files that this process may write (setrlimit(2)); for processes of their own.
package enum FileSizeLimit {
    /// Lets no file grow beyond so many bytes, nil for as far as the limit before goes; false when that fails.
    package static func set(_ bytes: UInt?) -> Bool {
        // A write beyond the limit shall fail with EFBIG, not end the process.
        _ = signal(SIGXFSZ, SIG_IGN)  // Fails for what is no signal only.
        var limit = rlimit()
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        #else
        let resource = RLIMIT_FSIZE
        #endif
        guard unsafe getrlimit(resource, &limit) == 0 else { return false }
        limit.rlim_cur = bytes.map { rlim_t($0) } ?? limit.rlim_max
        return unsafe setrlimit(resource, &limit) == 0
    }
}
