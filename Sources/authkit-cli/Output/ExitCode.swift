/// How the process ends (sysexits.h, and 1 for a clear negative).
struct ExitCode: Sendable, Hashable {
    /// The number.
    let number: Int32

    private init(_ number: Int32) {
        self.number = number
    }

    /// Done.
    static let done = ExitCode(0)
    /// A clear negative: invalid, inactive, not found.
    static let negative = ExitCode(1)
    /// The command line cannot be understood.
    static let usage = ExitCode(64)
    /// Input is malformed, or a stored record was tampered with.
    static let badData = ExitCode(65)
    /// A server or the network is unavailable.
    static let unavailable = ExitCode(69)
    /// A fault of ours.
    static let software = ExitCode(70)
    /// Something cannot be made.
    static let cannotCreate = ExitCode(73)
    /// Reading or writing failed.
    static let inputOutput = ExitCode(74)
    /// Try again later.
    static let tryAgain = ExitCode(75)
    /// The other side broke the protocol or failed a security check.
    static let protocolViolation = ExitCode(76)
    /// Sign-in is needed, or was refused.
    static let signInNeeded = ExitCode(77)
    /// The configuration is wrong.
    static let configuration = ExitCode(78)
}
