import Glibc
import Testing

/// A program started with its standard output readable, signals unblocked.
struct ChildProcess: Sendable {
    private let process: pid_t
    private let output: Int32

    init(_ arguments: [String]) throws {
        var pipe: [Int32] = [0, 0]
        let made = unsafe Glibc.pipe(&pipe)
        try #require(made == 0)
        for end in pipe { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        var signals = sigset_t()
        try #require(
            unsafe posix_spawn_file_actions_init(&actions) == 0
                && posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0) == 0
                && posix_spawn_file_actions_adddup2(&actions, pipe[1], 1) == 0
                && posix_spawn_file_actions_adddup2(&actions, 0, 2) == 0
                && posix_spawnattr_init(&attributes) == 0 && sigemptyset(&signals) == 0
                && posix_spawnattr_setsigmask(&attributes, &signals) == 0
                && posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK)) == 0
        )
        var process: pid_t = 0
        var words = unsafe arguments.map { unsafe strdup($0) } + [nil]
        let result = unsafe posix_spawnp(&process, arguments[0], &actions, &attributes, &words, environ)
        while let word = unsafe words.popLast() { unsafe free(word) }
        unsafe posix_spawn_file_actions_destroy(&actions)
        unsafe posix_spawnattr_destroy(&attributes)
        close(pipe[1])
        try #require(result == 0, "\(arguments[0]) is needed for this test")
        self.process = process
        output = pipe[0]
    }

    /// Reads a line that begins so; nil when there is none.
    func line(beginning start: String) -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while unsafe read(output, &byte, 1) == 1 {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            let text = String(decoding: line, as: UTF8.self)
            if text.hasPrefix(start) { return text }
            line = []
        }
        return nil
    }

    /// Waits for the end and tells whether it was a success.
    func wait() -> Bool {
        var status: Int32 = -1
        while unsafe waitpid(process, &status, 0) < 0 && errno == EINTR {}
        close(output)
        return status == 0
    }

    func stop() {
        kill(process, SIGKILL)
        _ = wait()
    }
}
