import AuthKitCore

/// One token of the identity service that can be sent back to it.
struct NianticToken: Sendable {
    /// What a token is for.
    enum Kind: Sendable, Hashable {
        /// Steps 1 and 2.
        case session
        /// The app's own back end.
        case sessionAccess
        /// Step 3.
        case refresh
    }

    let kind: Kind
    let family: String
    let issuedAt: Moment
    let lifetime: Duration
    /// Whether it has a successor.
    var isSpent = false
}
