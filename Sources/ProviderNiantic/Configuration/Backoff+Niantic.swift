public import AuthKitCore

extension Backoff {
    /// For a scheduler of NSDK tokens: 1, 2, 4 s and so on up to a minute, with full jitter.
    ///
    /// The rate limit of the identity endpoint is not documented; a `Retry-After` counts where it comes.
    public static let niantic = Backoff(first: .seconds(1), limit: .seconds(60))
}
