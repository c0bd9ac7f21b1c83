internal import AuthKitCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Asks on the terminal, on a thread of its own: for a passphrase without echo, or for a yes.
actor TerminalPrompt {
    private let executor = BlockingExecutor(label: "authkit.prompt")
    private let path: String
    private let time: any TimeSource

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Makes a prompt on a terminal.
    init(on path: String, time: any TimeSource) {
        self.path = path
        self.time = time
    }

    /// Asks; twice for a new one, and for so long in all.
    ///
    /// `subject` is what the passphrase opens.
    /// Throws 78 where there is no terminal, and when the two differ; 77 when nobody answers in time.
    func ask(isNew: Bool, for subject: String = "the store", within limit: Duration) throws -> SecretBytes {
        let deadline = Deadline(limit, from: time.now)
        guard let terminal = opened() else {
            throw CommandFailure.configuration(
                "The passphrase of \(subject) is needed and there is no terminal; name a file that holds it instead.",
                code: "key_unavailable"
            )
        }
        defer { Descriptor.release(terminal) }
        let prompt = isNew ? "New passphrase for \(subject): " : "Passphrase of \(subject): "
        let first = try read(terminal, prompt, deadline)
        guard isNew else { return first }
        let second = try read(terminal, "The same again: ", deadline)
        guard first.isEqual(to: second) else {
            throw CommandFailure.configuration("The two passphrases differ; try again.", code: "key_unavailable")
        }
        return first
    }

    /// Asks a question that is answered by yes or no; nil where there is no terminal.
    ///
    /// Anything but a yes is a no, and what was typed before the question is no answer to it. Throws 77 when nobody
    /// answers in time.
    func confirm(_ question: String, within limit: Duration) throws -> Bool? {
        let deadline = Deadline(limit, from: time.now)
        guard let terminal = opened() else { return nil }
        defer { Descriptor.release(terminal) }
        guard isatty(terminal) == 0 || tcflush(terminal, TCIFLUSH) == 0 else {
            throw CommandFailure.inputOutput("The terminal cannot be emptied before a question (\(SystemError.last)).")
        }
        show("\(question) [y/N] ", on: terminal)
        let late = "Nobody answered in time, and nothing was changed; run it again."
        let answer = String(decoding: try line(terminal, deadline, late), as: UTF8.self)
        return ["y", "yes"].contains(answer.trimmingSpaces().lowercased())
    }

    private func opened() -> Int32? {
        let terminal = unsafe open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
        return terminal >= 0 ? terminal : nil
    }

    private func read(_ terminal: Int32, _ prompt: String, _ deadline: Deadline) throws -> SecretBytes {
        var before = termios()
        guard unsafe tcgetattr(terminal, &before) == 0 else {
            throw CommandFailure.configuration(
                "The terminal cannot be used (\(SystemError.last)).",
                code: "key_unavailable"
            )
        }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        guard unsafe tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else {
            throw CommandFailure.configuration(
                "The terminal cannot be silenced (\(SystemError.last)).",
                code: "key_unavailable"
            )
        }
        defer {
            // A terminal that has gone away needs no echo.
            _ = unsafe tcsetattr(terminal, TCSAFLUSH, &before)
            show("\n", on: terminal)
        }
        show(prompt, on: terminal)
        let late = "Nobody typed the passphrase in time; run it again, or use --key-source passphrase-file:PATH."
        var bytes = try line(terminal, deadline, late)
        return SecretBytes(wiping: &bytes)
    }

    /// Reads to the end of a line; `late` says that nobody typed it.
    private func line(_ terminal: Int32, _ deadline: Deadline, _ late: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4096)
        while true {
            try Task.checkCancellation()
            guard !deadline.hasPassed(at: time.now) else {
                throw CommandFailure(.signInNeeded, "timed_out", late, remedy: .retry(after: nil))
            }
            var entry = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&entry, 1, 100) > 0 else { continue }
            var byte: UInt8 = 0
            let count = systemRead(terminal, &byte)
            if count < 0, errno == EINTR { continue }
            if count <= 0 || byte == UInt8(ascii: "\n") || bytes.count == 4096 { break }
            bytes.append(byte)
        }
        return bytes
    }

    private func show(_ text: String, on terminal: Int32) {
        let bytes = Array(text.utf8)
        // A prompt that cannot be shown is answered by nobody; the wait ends by cancellation.
        _ = unsafe bytes.withUnsafeBytes { unsafe write(terminal, $0.baseAddress, $0.count) }
    }
}

private func systemRead(_ descriptor: Int32, _ byte: inout UInt8) -> Int {
    unsafe read(descriptor, &byte, 1)
}
