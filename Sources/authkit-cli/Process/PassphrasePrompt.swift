internal import AuthKitCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Asks for a passphrase on the terminal, without echo, on a thread of its own.
actor PassphrasePrompt {
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
        let terminal = unsafe open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else {
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
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4096)
        while true {
            try Task.checkCancellation()
            guard !deadline.hasPassed(at: time.now) else {
                throw CommandFailure(
                    .signInNeeded,
                    "timed_out",
                    "Nobody typed the passphrase in time; run it again, or use --key-source passphrase-file:PATH.",
                    remedy: .retry(after: nil)
                )
            }
            var entry = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&entry, 1, 100) > 0 else { continue }
            var byte: UInt8 = 0
            let count = systemRead(terminal, &byte)
            if count < 0, errno == EINTR { continue }
            if count <= 0 || byte == UInt8(ascii: "\n") || bytes.count == 4096 { break }
            bytes.append(byte)
        }
        return SecretBytes(wiping: &bytes)
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
