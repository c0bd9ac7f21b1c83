internal import AuthKitCore

/// What a verified ID token says; only `IDTokenCheck` makes one.
struct IDTokenClaims: Sendable {
    /// The issuer.
    let issuer: String
    /// Who signed in.
    let subject: String
    /// When the token ends; nothing is refused for it later, it stays a hint for sign-out.
    let expiresAt: WallTime?
    /// The authentication context that was reached, as the issuer says.
    let acr: String?
    /// What a person recognises.
    let displayName: String?

    /// The account that was signed in to.
    var account: Account { Account(issuer: issuer, subject: subject, displayName: displayName) }

    /// The token as it is kept.
    func held(_ token: Secret) -> HeldToken {
        HeldToken(token, type: "id_token", expiry: expiresAt.map(Expiry.at) ?? .unknown)
    }
}
