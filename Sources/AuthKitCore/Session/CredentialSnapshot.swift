/// One state of a credential as sessions serve from it: immutable, shared by reference, its ends worked out once.
final class CredentialSnapshot: Sendable {
    /// What is stored, or will be.
    let entry: VaultEntry
    /// Whether the store does not have it yet.
    let isUnsaved: Bool
    /// The token that sign-in brings.
    private let primary: ReadyToken?
    private let others: [AccessTokenKey: ReadyToken]
    /// The newest ID token, its end on this machine's clock.
    let idToken: HeldToken?

    init(entry: VaultEntry, isUnsaved: Bool) {
        self.entry = entry
        self.isUnsaved = isUnsaved
        let credential = entry.credential
        idToken = credential.idToken.map(credential.withLocalEnd)
        var ready = credential.accessTokens.mapValues { ReadyToken(credential.withLocalEnd($0)) }
        primary = ready.removeValue(forKey: .primary)
        others = ready
    }

    /// The token of a request, whether it still lives or not.
    func token(for key: AccessTokenKey) -> ReadyToken? {
        key.isPrimary ? primary : others[key]
    }

    /// The token of a request if somebody is signed in and it lasts for a duration more.
    func freshToken(for request: TokenRequest, validFor: Duration, at reading: ClockReading) -> ReadyToken? {
        guard entry.credential.state == .signedIn else { return nil }
        let token = request.isForPrimary ? primary : others[request.key]
        guard let token, token.lasts(for: validFor, at: reading) else { return nil }
        return token
    }
}

extension StoredCredential {
    /// A token with its end as this machine's clock will show it.
    fileprivate func withLocalEnd(_ token: HeldToken) -> HeldToken {
        guard clockOffset != nil else { return token }
        var local = token
        local.expiry = expiry(of: token)
        return local
    }
}

extension AccessTokenKey {
    /// Whether it is `primary`, without hashing.
    fileprivate var isPrimary: Bool { audience == nil && scope.isEmpty && resources.isEmpty }
}

extension TokenRequest {
    /// Whether its key is `primary`, without making it.
    fileprivate var isForPrimary: Bool { audience == nil && scope.isEmpty && resources.isEmpty }
}
