/// What may be known of a credential without opening its tokens.
public struct CredentialSummary: Sendable, Hashable {
    /// One token: its kind and when it ends, never its value.
    public struct Token: Sendable, Hashable {
        /// `access`, `refresh`, `id`, or a companion's name.
        public let kind: String
        /// When it ends.
        public let expiry: Expiry

        /// Makes a line.
        public init(kind: String, expiry: Expiry) {
            self.kind = kind
            self.expiry = expiry
        }
    }

    /// Its name.
    public let id: CredentialID
    /// Where it stands.
    public let state: StoredCredential.State
    /// Who is signed in.
    public let account: Account?
    /// The scope granted.
    public let scope: Scope?
    /// The tokens held.
    public let tokens: [Token]
    /// The last thing that went wrong.
    public let problem: Problem?
    /// Whether a one-time token was sent of whose answer nothing is kept: a refresh is under way, or was cut short.
    public let hasOpenIntent: Bool
    /// When this life began.
    public let signedInAt: WallTime?
    /// When tokens last came.
    public let renewedAt: WallTime?
    /// How far the issuer's clock is ahead of ours, where it was learned.
    public let clockOffset: Duration?
    /// When it is due for renewal, where somebody plans it: a clear column of the record, bound by its sealing.
    public internal(set) var due: WallTime?

    /// Summarises a credential.
    public init(of credential: StoredCredential) {
        id = credential.id
        state = credential.state
        account = credential.account
        scope = credential.grantedScope
        problem = credential.problem
        hasOpenIntent = !credential.intents.isEmpty
        signedInAt = credential.signedInAt
        renewedAt = credential.renewedAt?.wall
        clockOffset = credential.clockOffset
        var tokens: [Token] = []
        if let access = credential.accessTokens[.primary] {
            tokens.append(Token(kind: "access", expiry: access.expiry))
        }
        let others = credential.accessTokens.filter { $0.key != .primary }.map { key, token in
            Token(kind: "access \(key.audience ?? key.resources.first ?? key.scope.description)", expiry: token.expiry)
        }
        tokens += others.sorted { $0.kind < $1.kind }
        if let refresh = credential.refreshToken { tokens.append(Token(kind: "refresh", expiry: refresh.expiry)) }
        if let idToken = credential.idToken { tokens.append(Token(kind: "id", expiry: idToken.expiry)) }
        tokens += credential.companions.sorted { $0.key < $1.key }.map { Token(kind: $0.key, expiry: $0.value.expiry) }
        self.tokens = tokens
    }

    /// Makes a summary from its parts.
    init(
        id: CredentialID,
        state: StoredCredential.State,
        account: Account?,
        scope: Scope?,
        tokens: [Token],
        problem: Problem?,
        hasOpenIntent: Bool,
        signedInAt: WallTime?,
        renewedAt: WallTime?,
        clockOffset: Duration?
    ) {
        self.id = id
        self.state = state
        self.account = account
        self.scope = scope
        self.tokens = tokens
        self.problem = problem
        self.hasOpenIntent = hasOpenIntent
        self.signedInAt = signedInAt
        self.renewedAt = renewedAt
        self.clockOffset = clockOffset
    }
}
