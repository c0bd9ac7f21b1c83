#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Starts programs that share nothing with this process.
enum ChildProcess {
    /// Starts a program with `/dev/null` for its streams, in a process group of its own; nil when that fails.
    static func start(_ path: String, _ words: [String], _ environment: [String: String]) -> pid_t? {
        var actions = unsafe posix_spawn_file_actions_t()
        guard unsafe posix_spawn_file_actions_init(&actions) == 0 else { return nil }
        defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }  // it cannot fail for what init has made
        for (stream, mode) in [(STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_WRONLY), (STDERR_FILENO, O_WRONLY)] {
            guard unsafe posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", mode, 0) == 0 else {
                return nil
            }
        }
        var attributes = posix_spawnattr_t()
        guard unsafe posix_spawnattr_init(&attributes) == 0 else { return nil }
        defer { unsafe _ = posix_spawnattr_destroy(&attributes) }  // it cannot fail for what init has made
        // The signals that this process blocks or ignores are its own affair.
        var none = sigset_t()
        var all = sigset_t()
        let flags = Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF)
        guard unsafe sigemptyset(&none) == 0, unsafe sigfillset(&all) == 0,
            unsafe posix_spawnattr_setsigmask(&attributes, &none) == 0,
            unsafe posix_spawnattr_setsigdefault(&attributes, &all) == 0,
            unsafe posix_spawnattr_setpgroup(&attributes, 0) == 0,
            unsafe posix_spawnattr_setflags(&attributes, flags) == 0
        else { return nil }
        let entries = environment.map { "\($0.key)=\($0.value)" }
        var process: pid_t = 0
        let result = unsafe withCStrings(words) { words in
            unsafe withCStrings(entries) { entries in
                unsafe posix_spawn(&process, path, &actions, &attributes, words, entries)
            }
        }
        return result == 0 ? process : nil
    }

    /// Waits for a child's end and collects it: blocks.
    ///
    /// Its exit status, or 128 and more when it did not end by itself.
    static func wait(for process: pid_t) -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0 {
            // ECHILD: this process lets the system collect its children, so their status is not known.
            if errno != EINTR { return 0 }
        }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }

    /// Lends a null-terminated array of C strings.
    private static func withCStrings<Result>(
        _ strings: [String],
        _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var copies: [UnsafeMutablePointer<CChar>?] = unsafe strings.map { unsafe strdup($0) }
        defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
        unsafe copies.append(nil)
        return unsafe copies.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("an array that holds nil is not empty") }
            return unsafe body(base)
        }
    }
}
