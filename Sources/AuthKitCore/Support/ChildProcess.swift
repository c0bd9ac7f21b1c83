#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Starts programs in process groups of their own, with no signal blocked or ignored for them.
package enum ChildProcess: Sendable {
    /// What a program has for one of its three streams.
    package enum Stream: Sendable, Hashable {
        /// `/dev/null`.
        case null
        /// An open descriptor of this process.
        case descriptor(Int32)
        /// What this process has.
        case inherited
    }

    /// Starts a program; nil when that fails, and then `errno` says why.
    ///
    /// `words` are its arguments, its own name first; `environment` is all that it gets.
    package static func start(
        _ path: String,
        _ words: [String],
        environment: [String: String],
        input: Stream = .null,
        output: Stream = .null,
        error: Stream = .null
    ) -> Int32? {
        var actions = unsafe posix_spawn_file_actions_t()
        guard unsafe posix_spawn_file_actions_init(&actions) == 0 else { return nil }
        defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }  // it cannot fail for what init has made
        for (number, stream) in [(STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, error)] {
            let result: Int32
            switch stream {
            case .inherited: continue
            case .descriptor(let open): result = unsafe posix_spawn_file_actions_adddup2(&actions, open, number)
            case .null:
                let mode = number == STDIN_FILENO ? O_RDONLY : O_WRONLY
                result = unsafe posix_spawn_file_actions_addopen(&actions, number, "/dev/null", mode, 0)
            }
            guard result == 0 else { return nil }
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
        // posix_spawn gives the error as its result; what is read next is errno.
        if result != 0 { errno = result }
        return result == 0 ? process : nil
    }

    /// Waits for a child's end and collects it: blocks.
    ///
    /// Its exit status, or 128 and more when it did not end by itself; nil where this process lets the system collect its
    /// children (ECHILD), so that nobody knows it.
    package static func wait(for process: Int32) -> Int32? {
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0 {
            if errno != EINTR { return nil }
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
