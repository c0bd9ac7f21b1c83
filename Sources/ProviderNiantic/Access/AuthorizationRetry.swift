public import AuthKitCore

/// Runs NSDK operations that need authorization: waits for it, runs, and tries once more after a second.
///
/// An operation never runs without a token, and waits for its turn where the token's requests are paced
/// (`NSDKAccess.pace`). Cancellation is never tried again. The second error is thrown as it is.
public struct AuthorizationRetry: Sendable {
    /// Which errors are worth a second try.
    public enum Occasion: Sendable, Hashable {
        /// Any, as in the vendor's samples.
        case anyError
        /// Those that a new token, or a little time, may mend.
        case authorizationAndTransient
    }

    /// How long authorization is waited for before the operation.
    public var authorizationWait: Duration = .seconds(30)
    /// How long to wait before the second try; what a service asks for wins, up to `authorizationWait`.
    public var pause: Duration = .seconds(1)
    /// Which errors are worth a second try.
    public var occasion: Occasion = .anyError
    /// Whether a new token is fetched before the second try, where the token was what was refused.
    public var forcesRefresh = false
    /// Says whether an error means that the token was refused.
    public var isAuthorizationError: @Sendable (any Error) -> Bool = { error in
        guard let error = error as? NianticError else { return false }
        return error.reason == .tokenRejected || error.reason == .notPermitted
    }

    /// Makes a rule with the values above.
    public init() {}

    /// Runs an operation with a token, twice at most.
    ///
    /// Throws `authorization_timed_out` when there was none in time, without running it; what a forced renewal throws;
    /// what the pace throws; and what the operation throws.
    public func run<Value>(
        on access: NSDKAccess,
        time: any TimeSource = SystemTime(),
        _ operation: (_ token: Secret) async throws -> Value
    ) async throws -> Value {
        let token = try await access.authorization(within: authorizationWait)
        let pause: Duration
        var next: Secret?
        try await access.pace?.turn()
        do {
            return try await operation(token)
        } catch let error as CancellationError {
            throw error
        } catch {
            try Task.checkCancellation()
            let isRefused = isAuthorizationError(error)
            guard occasion == .anyError || isRefused || Self.mayPass(error) else { throw error }
            pause = self.pause(after: error)
            if forcesRefresh, isRefused { next = try await access.replacement(of: token) }
        }
        try await time.sleep(for: pause)
        if next == nil { next = try await access.authorization(within: authorizationWait) }
        try await access.pace?.turn()
        return try await operation(next ?? token)
    }

    private func pause(after error: any Error) -> Duration {
        guard case .retry(let asked?)? = (error as? any ProviderFailure)?.remedy else { return pause }
        return max(pause, min(asked, authorizationWait))
    }

    private static func mayPass(_ error: any Error) -> Bool {
        if case .retry? = (error as? any ProviderFailure)?.remedy { true } else { false }
    }
}
