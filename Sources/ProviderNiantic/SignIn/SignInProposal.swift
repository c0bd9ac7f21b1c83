public import AuthKitCore

/// Who would be signed in by a callback that came, before anything is sent or stored.
///
/// The protocol ties no callback to this sign-in, so a person should look: somebody else's page may have sent it. The
/// claims are the token's own words; the service's answer is held to them afterwards.
public struct SignInProposal: Sendable, Hashable {
    /// Whose token came; nil where it names nobody.
    public let account: Account?
    /// When the session would end, as its token says.
    public let expiry: Expiry
    /// Who is signed in now.
    public let previous: Account?

    /// Whether somebody else is signed in now than would be; true as well where either names nobody.
    public var isSwitch: Bool {
        guard let previous else { return false }
        return account?.subject != previous.subject || account?.issuer != previous.issuer
    }
}

/// Shows a person who would be signed in and asks whether that is meant; false ends the sign-in, nothing changed.
public typealias SignInConfirmation = @Sendable (SignInProposal) async throws -> Bool
