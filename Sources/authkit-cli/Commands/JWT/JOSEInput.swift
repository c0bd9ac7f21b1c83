internal import AuthKitCore

/// Reads what the commands about tokens and keys work on.
struct JOSEInput: Sendable {
    /// More than any token has: the verifier refuses those beyond its own limit by name.
    private static let tokenLimit = 4 << 20
    private static let fileLimit = 1 << 20

    private let invocation: Invocation

    /// Makes a reader for one run.
    init(_ invocation: Invocation) {
        self.invocation = invocation
    }

    /// The operand of a command that takes a token.
    static let operand = Operand("TOKEN", optional: true, mayBeEmpty: true)

    /// The token: the operand, which is removed from what other processes see, or standard input.
    ///
    /// Standard input loses one final newline and nothing else. `malformed` or `too_large`.
    func token() async throws -> String {
        if let operand = invocation.arguments.operand(0), operand != "-" {
            invocation.surroundings.eraseArgument(operand)
            return operand
        }
        var bytes: [UInt8]
        do {
            bytes = try await invocation.surroundings.input.everything(limit: Self.tokenLimit)
        } catch let failure as CommandFailure where failure.code == "too_large" {
            throw JWTError(.tooLarge, failure.message)
        }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        return try Self.text(bytes)
    }

    /// What stands on standard input, as it is.
    func payload() async throws -> [UInt8] {
        try await invocation.surroundings.input.everything(limit: Self.fileLimit)
    }

    /// The key in the file that a flag names; 64 without the flag.
    func key(by flag: String = "key") async throws -> (document: KeyDocument, path: String) {
        guard let typed = invocation.arguments.value(flag) else {
            throw UsageError("Name the key's file: --\(flag) FILE.", command: invocation.arguments.shape)
        }
        return try await key(in: typed, by: "--\(flag)")
    }

    /// The key in the file that the operand names; `-` is standard input.
    func key(inOperand typed: String) async throws -> (document: KeyDocument, path: String) {
        try await key(in: typed, by: "FILE", isInput: typed == "-")
    }

    private func key(
        in typed: String,
        by name: String,
        isInput: Bool = false
    ) async throws -> (document: KeyDocument, path: String) {
        let path = isInput ? "standard input" : invocation.places.absolute(typed)
        let bytes = isInput ? try await payload() : try await contents(of: typed, by: name)
        let document = try Self.naming(path) { () throws(JWTError) in try KeyDocument(parsing: bytes) }
        if document.isPrivate, !isInput, FileStatus(path).map({ $0.kind == .file && $0.isOpenToOthers }) == true {
            invocation.console.alert(
                "Others can read the key in \(path); run: chmod 600 \(PrivatePlace.shellQuoted(path))"
            )
        }
        return (document, path)
    }

    /// A file's bytes, named by a flag or operand; 74 when there is none, 64 when it is no name but what the file is for.
    func contents(of typed: String, by name: String) async throws -> [UInt8] {
        let path = invocation.places.absolute(typed)
        try checkName(typed, by: name)
        guard let bytes = try await PlainFile.contents(of: path, limit: Self.fileLimit) else {
            throw CommandFailure.inputOutput("There is no file \(path); name one that is there.")
        }
        return bytes
    }

    /// Refuses a name that is no file's and looks like what should be in one (64).
    func checkName(_ typed: String, by name: String) throws(UsageError) {
        guard let look = SecretLook(typed), FileStatus(invocation.places.absolute(typed)) == nil else { return }
        throw UsageError(
            "\(name) takes the name of a file, not \(look.name) itself; write it to a file of your own first.",
            command: invocation.arguments.shape
        )
    }

    /// A file's text without one final newline.
    func secret(in typed: String, by flag: String) async throws -> Secret {
        var bytes = try await contents(of: typed, by: "--\(flag)")
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(.badData, "malformed", "\(invocation.places.absolute(typed)) is not text in UTF-8.")
        }
        return Secret(text)
    }

    /// `--header`: members for a token's header.
    func header() throws(UsageError) -> JSONObject {
        guard let text = invocation.arguments.value("header") else { return JSONObject() }
        guard let header = (try? JSONValue(parsing: Array(text.utf8)))?.object else {
            throw UsageError(
                "--header takes a JSON object, such as '{\"typ\":\"at+jwt\"}'.",
                command: invocation.arguments.shape
            )
        }
        return header
    }

    /// Says in a file's error which file it is; the exit code is that of bad data, or of a wrong key.
    static func naming<Result>(
        _ path: String,
        _ read: () throws(JWTError) -> Result
    ) throws(CommandFailure) -> Result {
        do {
            return try read()
        } catch {
            throw CommandFailure(describing: error).naming(path)
        }
    }

    private static func text(_ bytes: [UInt8]) throws(JWTError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw JWTError(
                .malformed,
                "The token is not text; a compact token has only letters, digits, -, _ and dots."
            )
        }
        return text
    }
}

extension CommandFailure {
    /// The same failure, with the file that it is about.
    func naming(_ path: String) -> CommandFailure { replacingMessage("\(path): \(message)") }

    /// A token that is refused: exit code 1, and the reason's code before the sentence where no JSON carries it.
    static func refused(_ error: JWTError, _ console: Console) -> CommandFailure {
        let code = error.code.description
        let exit: ExitCode = error.code == .cannotVerify ? .software : .negative
        return CommandFailure(exit, code, console.style.json ? error.detail : "\(code): \(error.detail)")
    }
}
