internal import AuthKitCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What is done with open files everywhere.
enum Descriptor {
    /// Closes one whose writes, if there were any, have been synced: a close that fails loses nothing.
    static func release(_ descriptor: Int32) {
        // Linux frees the number whatever the result; a second try could close somebody else's file.
        _ = close(descriptor)
    }

    /// Reads at most so many bytes, none at the end; waits for them, and looks for cancellation meanwhile.
    ///
    /// Blocks: for an actor with a thread of its own.
    static func read(_ descriptor: Int32, atMost count: Int, named name: String) throws -> [UInt8] {
        while true {
            try Task.checkCancellation()
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = unsafe poll(&entry, 1, 100)
            if ready == 0 || (ready < 0 && errno == EINTR) { continue }
            guard ready > 0 else { throw CommandFailure.inputOutput("\(name) cannot be read (\(SystemError.last)).") }
            var buffer = [UInt8](repeating: 0, count: count)
            let got = unsafe buffer.withUnsafeMutableBytes { unsafe systemRead(descriptor, $0.baseAddress, $0.count) }
            if got >= 0 { return Array(buffer[..<got]) }
            guard errno == EINTR || errno == EAGAIN else {
                throw CommandFailure.inputOutput("\(name) cannot be read (\(SystemError.last)).")
            }
        }
    }
}

/// The system's own, which the enum's method of that name hides.
private func systemRead(_ descriptor: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(descriptor, start, count)
}
