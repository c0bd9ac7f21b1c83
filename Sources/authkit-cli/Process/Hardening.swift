#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Makes the process a poor place to steal from, before it holds anything: called first, while there is one thread.
enum Hardening {
    /// No core files, no tracing by others, private files, no death by a closed pipe or a limit on the size of files,
    /// three open descriptors.
    ///
    /// Returns what could not be done, in words; none of it is a reason to stop.
    static func apply() -> [String] {
        var failures: [String] = []
        openStandardDescriptors()
        // The mask before is of no interest, and umask(2) cannot fail.
        _ = umask(0o077)
        if !forbidCoreFiles() { failures.append("core files could not be forbidden") }
        if !forbidTracing() { failures.append("tracing by other processes could not be forbidden") }
        // A closed pipe is reported by write, as exit code 74.
        if !SignalWatch.handle(SIGPIPE, by: SIG_IGN) { failures.append("closed pipes could not be reported as such") }
        // So is a write beyond RLIMIT_FSIZE. Dispatch's threads block its signal; on any other it would end the process
        // in the middle of a save. Children get the default back, as every signal's.
        if !SignalWatch.handle(SIGXFSZ, by: SIG_IGN) { failures.append("limits on file sizes end the command") }
        return failures
    }

    /// Fills closed standard descriptors, so that no file of ours becomes somebody's standard output.
    ///
    /// A closed input is filled write-only and a closed output read-only: their use fails as it would have.
    private static func openStandardDescriptors() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free number is given, which is this one; without /dev/null there is nothing better to do.
            _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    private static func forbidCoreFiles() -> Bool {
        var limit = rlimit(rlim_cur: 0, rlim_max: 0)
        #if canImport(Glibc)
        return unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0
        #else
        return unsafe setrlimit(RLIMIT_CORE, &limit) == 0
        #endif
    }

    #if os(Linux)
    /// PR_SET_DUMPABLE of prctl(2).
    private static let setDumpable: Int32 = 4

    private typealias ProcessControl = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32

    /// `prctl(PR_SET_DUMPABLE, 0)`: memory, environment and descriptors in /proc become root's.
    ///
    /// prctl is declared with variable arguments, which Swift does not import; on Linux both forms of call pass
    /// integers alike.
    private static func forbidTracing() -> Bool {
        guard let symbol = unsafe dlsym(nil, "prctl") else { return false }
        let control = unsafe unsafeBitCast(symbol, to: ProcessControl.self)
        return control(setDumpable, 0, 0, 0, 0) == 0
    }
    #else
    private static func forbidTracing() -> Bool { true }
    #endif
}
