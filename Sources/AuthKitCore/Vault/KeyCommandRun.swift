#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Runs one command to its end and keeps what it prints: blocks a thread of its own, for a bounded time.
actor KeyCommandRun {
    /// How a run ended.
    enum End: Sendable {
        case printed(PrintedText)
        case failed(status: Int32)
        case tooMuch
        case tooLate
        case notStarted(reason: String)
    }

    /// The pause between two looks at the pipe, in microseconds.
    private static let pause: UInt32 = 2000

    private nonisolated let executor = BlockingExecutor(label: "KeyCommand")
    private let time: any TimeSource
    /// Whether somebody wants it to end.
    private nonisolated let isCancelled = Guarded(false)

    init(time: any TimeSource) {
        self.time = time
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Starts the words as a process group of its own and waits for its end; kills the group when the time is over.
    func run(
        _ words: [String],
        environment: [String: String],
        limit: Duration,
        outputLimit: Int
    ) async throws -> End {
        let end = await withTaskCancellationHandler {
            runToEnd(words, environment, Deadline(limit, from: time.now), outputLimit)
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
        if isCancelled.withLock({ $0 }) { throw CancellationError() }
        return end
    }

    private func runToEnd(
        _ words: [String],
        _ environment: [String: String],
        _ deadline: Deadline,
        _ outputLimit: Int
    ) -> End {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return .notStarted(reason: SystemError.last) }
        let output = PrivateFile(owning: ends[0], path: "the key command's output")
        // Not at once, for want of pipe2 in the C library's Swift module: programs that others start in between get both.
        // Neither call can fail for an open descriptor.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(output.descriptor, F_SETFL, O_NONBLOCK)
        let started = start(words, environment, output: ends[1])
        _ = close(ends[1])  // the child has it; nothing is written through ours
        guard let process = started else { return .notStarted(reason: SystemError.last) }
        let text = PrintedText(limit: outputLimit + 1)
        while true {
            let hasEnded = hasEnded(process)
            let hasMore = text.read(from: output.descriptor)
            if text.isFull { return give(.tooMuch, killing: process) }
            // What is left in the pipe is read first; a daemon that holds on to it is not waited for.
            if hasEnded, !hasMore { return collect(process, text) }
            if !hasMore { _ = usleep(Self.pause) }
            if isCancelled.withLock({ $0 }) || deadline.hasPassed(at: time.now) {
                return give(.tooLate, killing: process)
            }
        }
    }

    /// Kills the group, which has not been collected and so still bears its name, and collects its leader.
    private func give(_ end: End, killing process: pid_t) -> End {
        _ = kill(-process, SIGKILL)  // ESRCH: it has just ended by itself
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        return end
    }

    private func collect(_ process: pid_t, _ text: PrintedText) -> End {
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0 {
            // ECHILD: this process lets the system collect its children, so that only the output can tell.
            if errno != EINTR { return .printed(text) }
        }
        guard status != 0 else { return .printed(text) }
        return .failed(status: status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F))
    }

    /// Whether the leader has ended; it is left to be collected.
    private func hasEnded(_ process: pid_t) -> Bool {
        // As words: in a whole-module build the members of `siginfo_t` belong to a Clang module that cannot be imported.
        let size = unsafe MemoryLayout<siginfo_t>.size
        var words = [Int32](repeating: 0, count: size / MemoryLayout<Int32>.size)
        let result = unsafe words.withUnsafeMutableBytes { bytes in
            unsafe waitid(
                P_PID,
                id_t(process),
                bytes.baseAddress?.assumingMemoryBound(to: siginfo_t.self),
                WEXITED | WNOHANG | WNOWAIT
            )
        }
        guard result == 0 else { return errno == ECHILD }
        // waitid(2): the first word is the signal number, which is zero where no child has ended.
        return words[0] != 0
    }

    private func start(_ words: [String], _ environment: [String: String], output: Int32) -> pid_t? {
        var actions = unsafe posix_spawn_file_actions_t()
        guard unsafe posix_spawn_file_actions_init(&actions) == 0 else { return nil }
        defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }  // it cannot fail for what init has made
        guard unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0) == 0,
            unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) == 0
        else { return nil }
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
                unsafe posix_spawn(&process, "/bin/sh", &actions, &attributes, words, entries)
            }
        }
        // posix_spawn gives the error as its result; what is read next is errno.
        if result != 0 { errno = result }
        return result == 0 ? process : nil
    }
}

/// Lends a null-terminated array of C strings.
private func withCStrings<Result>(
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
