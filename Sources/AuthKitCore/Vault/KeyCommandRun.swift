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
        let started = ChildProcess.start(
            "/bin/sh",
            words,
            environment: environment,
            output: .descriptor(ends[1]),
            error: .inherited
        )
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
        _ = ChildProcess.wait(for: process)  // how it ended says nothing now
        return end
    }

    private func collect(_ process: pid_t, _ text: PrintedText) -> End {
        // Where the system collects this process's children, only the output can tell.
        guard let status = ChildProcess.wait(for: process), status != 0 else { return .printed(text) }
        return .failed(status: status)
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
}
