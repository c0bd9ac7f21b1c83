public import AuthKitCore

/// Hands out a developer token from its file until it ends.
///
/// The file is read when the held token is taken from the store, when it ends, and when a new one is insisted on: a new
/// token put there is found by then. Nothing is sent anywhere. The token is kept sealed in the store like any other.
public struct DeveloperTokenProvider: TokenProvider {
    private static let sizeLimit = 65_536

    /// The file, 0600; the token on one line.
    public let path: String
    /// On demand: there is nothing to renew ahead of time, and nobody has to sign in.
    public let traits = ProviderTraits(refresh: RefreshPolicy(mode: .reactive), needsSignIn: false)

    private let insecureFileModes: Bool
    private let insecureLifetimes: Bool

    /// Names the file; nothing is read.
    ///
    /// `insecureFileModes` takes a file that others can read, for mounts that know no modes; `insecureLifetimes` a token
    /// of any lifetime, for what Niantic may offer later.
    public init(path: String, insecureFileModes: Bool = false, insecureLifetimes: Bool = false) {
        self.path = path
        self.insecureFileModes = insecureFileModes
        self.insecureLifetimes = insecureLifetimes
    }

    /// Niantic.
    public var kind: ProviderKind { .niantic }

    /// Names the credential: one for a slot.
    public func credentialID(slot: String) -> CredentialID {
        CredentialID(provider: kind, issuer: "scaniverse.nianticspatial.com", client: "developer-token", slot: slot)
    }

    /// Reads the file's token; throws `invalid_developer_token` and `developer_token_ended`.
    public func token(at now: WallTime) throws(NianticError) -> DeveloperToken {
        try DeveloperToken(try text(), at: now, insecureLifetimes: insecureLifetimes)
    }

    private func text() throws(NianticError) -> Secret {
        try SecretText.read(path, limit: Self.sizeLimit, insecureFileModes: insecureFileModes) { detail in
            NianticError(
                .invalidDeveloperToken,
                "The developer token cannot be read: \(detail)",
                remedy: .fixConfiguration
            )
        }
    }

    /// Takes the file's token if it is another than the held one; declines where it is the same and lives.
    public func renew(
        _ held: StoredCredential,
        for request: TokenRequest,
        in context: RenewalContext
    ) async throws -> Renewal {
        let now = context.base.time.now
        let token = try token(at: now.wall)
        let present = held.accessTokens[request.key]
        if case .rejected(let rejected) = request.reason, rejected == TokenFingerprint(of: token.value) {
            throw NianticError(
                .tokenRejected,
                "The developer token was refused: it may be revoked; put a new one into \(path).",
                remedy: .fixConfiguration
            )
        }
        if present?.value == token.value {
            return .declined(reason: "a developer token is not renewed; it ends on \(token.expiresAt)")
        }
        var credential = held
        credential.accessTokens[request.key] = HeldToken(token.value, expiry: .at(token.expiresAt))
        credential.account = TokenClaims(token.value)?.account(
            issuer: held.id.issuer,
            userIDClaims: AuthInfo.usualUserIDClaims
        )
        credential.renewedAt = now
        return .renewed(credential)
    }

    /// Whether what is held is the token that the file has now; true as well while that cannot be used.
    public func isCurrent(_ held: StoredCredential) -> Bool {
        guard let token = held.accessTokens[.primary] else { return true }
        do {
            return try text() == token.value
        } catch {
            return true  // A token that lives serves on; the next reading says what is wrong with the file.
        }
    }

    /// Developer tokens are revoked in Scaniverse web alone.
    public func revoke(_ held: StoredCredential, in context: ProviderContext) async -> [RevocationResult] { [] }
}
