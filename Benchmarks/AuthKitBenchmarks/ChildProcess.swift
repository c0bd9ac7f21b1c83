import CBenchmark

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A program that was started: run to its end, or asked line by line.
final class ChildProcess {
    private let process: pid_t
    private var input: Int32 = -1
    private var output: Int32 = -1

    /// Starts a program with this environment; unless it is to be asked, what it reads and says goes nowhere.
    init(_ words: [String], isAsked: Bool = false) throws {
        var toChild: [Int32] = [-1, -1]
        var fromChild: [Int32] = [-1, -1]
        if isAsked { (toChild, fromChild) = (try Self.pipe(), try Self.pipe()) }
        defer { for end in [toChild[0], fromChild[1]] where end >= 0 { _ = close(end) } }
        (input, output) = (toChild[1], fromChild[0])
        var actions = unsafe posix_spawn_file_actions_t()
        guard unsafe posix_spawn_file_actions_init(&actions) == 0 else { throw BenchmarkError("No memory.") }
        defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
        let isSetUp =
            isAsked
            ? unsafe posix_spawn_file_actions_adddup2(&actions, toChild[0], STDIN_FILENO) == 0
                && posix_spawn_file_actions_adddup2(&actions, fromChild[1], STDOUT_FILENO) == 0
            : unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0) == 0
                && posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) == 0
        guard isSetUp else { throw BenchmarkError("No memory.") }
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        var process: pid_t = 0
        guard unsafe posix_spawn(&process, words[0], &actions, nil, &arguments, benchmark_environment()) == 0 else {
            throw BenchmarkError("'\(words[0])' cannot be started.")
        }
        self.process = process
    }

    /// Runs a program to its end; the time from start to end in nanoseconds.
    static func time(_ words: [String]) throws -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        let status = try ChildProcess(words).wait()
        let time = (clock.now - start).nanoseconds
        guard status == 0 else { throw BenchmarkError("'\(words.joined(separator: " "))' failed: run it by itself.") }
        return time
    }

    /// Writes a line and reads the line that answers it, for a minute at most.
    func ask(_ line: String) throws -> String {
        let bytes = Array("\(line)\n".utf8)
        guard unsafe write(input, bytes, bytes.count) == bytes.count else { throw BenchmarkError("A peer is gone.") }
        return try readLine()
    }

    /// Reads the next line, waiting so many seconds at most for each part of it.
    func readLine(waiting seconds: Int32 = 60) throws -> String {
        var answer: [UInt8] = []
        while true {
            var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            var byte: UInt8 = 0
            guard unsafe poll(&waiting, 1, seconds * 1000) == 1, unsafe read(output, &byte, 1) == 1 else {
                throw BenchmarkError("A peer gives no answer.")
            }
            if byte == UInt8(ascii: "\n") { return String(decoding: answer, as: UTF8.self) }
            answer.append(byte)
        }
    }

    /// Ends a program that is asked: it reads the end of its input.
    func end() {
        _ = close(input)
        _ = close(output)
        _ = wait()
    }

    /// A pipe that no other program inherits: where it is read, where it is written.
    private static func pipe() throws -> [Int32] {
        var ends: [Int32] = [-1, -1]
        guard unsafe makePipe(&ends) == 0, ends.allSatisfy({ fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }) else {
            throw BenchmarkError("There are no pipes left.")
        }
        return ends
    }

    private func wait() -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0 {
            if errno != EINTR { return -1 }
        }
        return status
    }
}

// A free function, where the C name is not hidden by our own.
private func makePipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 {
    unsafe pipe(ends)
}
