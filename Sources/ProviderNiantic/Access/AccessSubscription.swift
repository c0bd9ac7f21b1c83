/// A consumer's place among those that are given access tokens; gone when it is cancelled or let go.
public final class AccessSubscription: Sendable {
    private let access: NSDKAccess
    private let number: Int

    init(_ access: NSDKAccess, number: Int) {
        self.access = access
        self.number = number
    }

    deinit {
        Task { [access, number] in await access.removeConsumer(number) }
    }

    /// Gives the consumer nothing any more; it keeps what it was given.
    public func cancel() async { await access.removeConsumer(number) }
}
