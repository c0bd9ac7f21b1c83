internal import AuthKitCore

/// All of the world that a command may touch: the process's own, or a test's.
struct Surroundings: Sendable {
    /// Variables and user.
    var environment: Environment
    /// Where output goes.
    var sink: any OutputSink
    /// Where input comes from.
    var input: any LineInput
    /// The clocks.
    var time: any TimeSource
    /// What must not be cut off when the process ends.
    var saveWindow = SaveWindow()
    /// Where relative paths begin.
    var workingDirectory = Places.currentDirectory()
    /// The terminal that a passphrase is asked for on.
    var terminal = "/dev/tty"
    /// Makes the way to the network; called when a command needs it.
    var transport: @Sendable () -> any HTTPTransport
    /// Removes an argument from what other processes can see of ours.
    var eraseArgument: @Sendable (String) -> Void = { _ in }
}
