/// What a provider is given for any call: time, and how long the call may take.
public struct ProviderContext: Sendable {
    /// Where time comes from.
    public let time: any TimeSource
    /// When the call must have ended.
    public let deadline: Deadline

    /// Makes a context.
    public init(time: any TimeSource, deadline: Deadline) {
        self.time = time
        self.deadline = deadline
    }
}
