/// All that is kept of one credential.
public struct StoredCredential: Sendable, Hashable {
    /// Where a credential stands.
    public enum State: Sendable, Hashable {
        /// Tokens are held and can be used or renewed.
        case signedIn
        /// What is held no longer works; kept for diagnosis. `problem` says why.
        case needsSignIn
        /// Signed out: the tombstone. Nothing is held.
        case signedOut
    }

    /// Its name.
    public internal(set) var id: CredentialID
    /// This life of it.
    public var incarnation: Incarnation
    /// Where it stands.
    public var state: State
    /// Who is signed in.
    public var account: Account?
    /// The refresh token.
    public var refreshToken: HeldToken?
    /// The newest ID token; kept after its expiry as a hint for sign-out.
    public var idToken: HeldToken?
    /// Access tokens by what they were asked for.
    public var accessTokens: [AccessTokenKey: HeldToken]
    /// Other tokens of the provider, by name.
    public var companions: [String: HeldToken]
    /// Private keys that belong to the credential (DPoP), by name, in the provider's own encoding.
    public var keys: [String: Secret]
    /// What else the provider keeps, by name; sealed like everything here.
    public var attributes: [String: String]
    /// The scope granted at sign-in or refresh, where known.
    public var grantedScope: Scope?
    /// The open intents: one-time tokens that were sent and of whose answer nothing is kept yet.
    public var intents: [TokenFingerprint: Intent]
    /// The last thing that went wrong; nil after the next success.
    public var problem: Problem?
    /// When this life began.
    public var signedInAt: WallTime?
    /// When tokens last came.
    public var renewedAt: Moment?
    /// How far the issuer's clock is ahead of ours, where it was learned; for timing and messages, never for trust.
    public var clockOffset: Duration?
    /// One at most: an array, since a value cannot hold another of its own type.
    private var replacedOnes: [StoredCredential] = []

    /// What a sign-in has replaced that has brought no access token yet; put back when it is refused its first one.
    ///
    /// A tombstone where nothing was there. Kept in the record, so that a death in between loses no login.
    var replaced: StoredCredential? {
        get { replacedOnes.first }
        set { replacedOnes = newValue.map { [$0] } ?? [] }
    }

    /// Makes an empty credential.
    public init(id: CredentialID, incarnation: Incarnation, state: State) {
        self.id = id
        self.incarnation = incarnation
        self.state = state
        accessTokens = [:]
        companions = [:]
        keys = [:]
        attributes = [:]
        intents = [:]
    }
}

extension StoredCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Its name and where it stands.
    public var description: String { "\(id.slot) (\(state))" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// A mirror with the names of what is held, so that `dump` shows no token, key or attribute.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "id": id, "state": state, "companions": companions.keys.sorted(), "keys": keys.keys.sorted(),
                "attributes": attributes.keys.sorted(), "accessTokens": accessTokens.count,
                "openIntents": intents.count,
            ]
        )
    }
}
