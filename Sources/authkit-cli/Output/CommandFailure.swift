internal import AuthKitCore

/// Why a command failed, ready to be written: every error becomes one before it is shown.
struct CommandFailure: Error, Sendable {
    /// How the process ends.
    let exit: ExitCode
    /// A stable word for scripts.
    let code: String
    /// One sentence that says what to do next.
    let message: String
    /// What kind of thing can be done about it.
    let remedy: Remedy
    /// The issuer's own error fields.
    let issuerError: OAuthErrorBody?

    /// Makes a failure; the remedy is the one that its exit code suggests, unless it is named.
    init(
        _ exit: ExitCode,
        _ code: String,
        _ message: String,
        remedy: Remedy? = nil,
        issuerError: OAuthErrorBody? = nil
    ) {
        self.exit = exit
        self.code = code
        self.message = message
        self.remedy = remedy ?? Self.usualRemedy(exit)
        self.issuerError = issuerError
    }

    private static func usualRemedy(_ exit: ExitCode) -> Remedy {
        switch exit {
        case .unavailable, .tryAgain, .inputOutput, .software: .retry(after: nil)
        case .signInNeeded: .signInAgain
        default: .fixConfiguration
        }
    }

    /// The same failure in other words.
    func replacingMessage(_ message: String) -> CommandFailure {
        CommandFailure(exit, code, message, remedy: remedy, issuerError: issuerError)
    }

    /// A configuration that is wrong.
    static func configuration(_ message: String, code: String = "invalid_configuration") -> CommandFailure {
        CommandFailure(.configuration, code, message)
    }

    /// A file that cannot be read or written.
    static func inputOutput(_ message: String) -> CommandFailure {
        CommandFailure(.inputOutput, "input_output", message)
    }

    /// A command line that is understood and makes no sense.
    static func usage(_ message: String) -> CommandFailure {
        CommandFailure(.usage, "usage", message)
    }
}
