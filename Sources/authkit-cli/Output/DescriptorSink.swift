#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Writes to the process's own standard output and error, unbuffered.
struct DescriptorSink: OutputSink {
    func writeData(_ bytes: [UInt8]) throws(CommandFailure) {
        let failure = Self.send(bytes, to: STDOUT_FILENO)
        guard failure != 0 else { return }
        throw .inputOutput("Standard output cannot be written (\(SystemError.text(failure))); send it somewhere else.")
    }

    func writeMessage(_ bytes: [UInt8]) {
        // Nothing is left to tell people with when this fails.
        _ = Self.send(bytes, to: STDERR_FILENO)
    }

    var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    var isDataTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Writes all bytes; returns the error number, 0 when all is well.
    private static func send(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                if unsafe poll(&waiting, 1, 10_000) == 0 { return ETIMEDOUT }
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}
