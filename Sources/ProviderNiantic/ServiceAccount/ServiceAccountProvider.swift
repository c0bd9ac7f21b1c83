public import AuthKitCore

/// A service account's flow: its key for an NSDK access token that lives an hour, again and again.
///
/// For back ends: the key must not leave the server. There is no refresh token; a renewal is the same exchange again.
/// The key is read from its file at each exchange and never stored elsewhere.
public struct ServiceAccountProvider: TokenProvider {
    /// The account.
    public let account: ServiceAccount
    /// How its tokens are renewed: as the configuration says, no companion watched; nobody has to sign in.
    public let traits: ProviderTraits

    private let endpoint: IdentityEndpoint
    private let check: TokenCheck?

    /// Checks the address, the limit and the assumptions of a configuration, of which beside the policy and the trust
    /// nothing counts here; throws `invalid_configuration`.
    ///
    /// No file is read.
    public init(
        _ account: ServiceAccount,
        configuration: NianticConfiguration = NianticConfiguration(),
        transport: any HTTPTransport,
        check: TokenCheck? = nil
    ) throws(NianticError) {
        if let fault = configuration.assumptions.fault { throw .configuration(fault) }
        self.account = account
        self.check = check
        var refresh = configuration.refresh
        refresh.watchedCompanions = []
        traits = ProviderTraits(refresh: refresh, needsSignIn: false)
        endpoint = IdentityEndpoint(
            url: try IdentityAddress.url(configuration.identityURL),
            tls: configuration.tls,
            transport: transport,
            requestLimit: configuration.requestLimit,
            assumptions: configuration.assumptions
        )
    }

    /// Niantic.
    public var kind: ProviderKind { .niantic }

    /// Names the credential of an account: one for a slot.
    public func credentialID(slot: String) -> CredentialID {
        CredentialID(provider: kind, issuer: endpoint.url.text, client: "service-account", slot: slot)
    }

    /// Exchanges the key for a new access token.
    public func renew(
        _ held: StoredCredential,
        for request: TokenRequest,
        in context: RenewalContext
    ) async throws -> Renewal {
        let key = try account.file.key()
        let answer = try await endpoint.send(
            .exchangeKey,
            members: [(name: "apiKey", value: key)],
            extra: account.extraMembers,
            in: context.base
        )
        let object = JSONAnswer.object(answer.response)
        guard let object, let token = JSONAnswer.token("accessToken", in: object) else {
            if let words = ErrorWords.read(answer.response, secrets: [key]) {
                throw answer.failure.contradictory(words, delivery: .answered)
            }
            throw answer.failure.unusable("it has no usable accessToken", delivery: .answered)
        }
        try await NianticProvider.checked(token, .access, by: check)
        let expiry = AnswerExpiry.ofAccess(
            token,
            expiresAt: object["expiresAt"],
            expiresIn: object["expiresIn"],
            promised: endpoint.assumptions.promisedLifetime,
            receivedAt: answer.response.receivedAt
        )
        var credential = held
        credential.accessTokens[request.key] = HeldToken(token, expiry: expiry)
        credential.attributes[TokenFingerprint.sourceAttribute] = account.source(key)
        credential.clockOffset = answer.clockOffset ?? held.clockOffset
        credential.renewedAt = answer.response.receivedAt
        return .renewed(credential)
    }

    /// Whether what is held was made from the key that the file has now; true as well while that cannot be read.
    public func isCurrent(_ held: StoredCredential) -> Bool {
        guard let source = held.attributes[TokenFingerprint.sourceAttribute] else { return true }
        do {
            return try account.source(account.file.key()) == source
        } catch {
            return true  // A token that lives serves on; the next exchange says what is wrong with the file.
        }
    }

    /// Nothing revokes an issued token.
    public func revoke(_ held: StoredCredential, in context: ProviderContext) async -> [RevocationResult] { [] }
}
