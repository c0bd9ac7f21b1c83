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
    /// Who was signed in until now; nil where nobody was, or where that sign-in names nobody.
    public let previous: Account?
    /// Whether somebody was signed in until now, named or not: their sign-in would be replaced.
    public let replaces: Bool

    /// Makes one; a sign-in that has ended by itself counts, one that was signed out does not.
    init(_ account: Account?, _ expiry: Expiry, over stored: StoredCredential?) {
        self.account = account
        self.expiry = expiry
        previous = stored?.state == .signedOut ? nil : stored?.account
        replaces = stored.map { $0.state != .signedOut } ?? false
    }

    /// Whether somebody else was signed in than would be; true as well where either names nobody.
    public var isSwitch: Bool {
        guard replaces else { return false }
        guard let account, let previous else { return true }
        return account.subject != previous.subject || account.issuer != previous.issuer
    }
}

/// What a person makes of the account that a callback would sign in.
public enum SignInDecision: Sendable, Hashable {
    /// It is meant.
    case signIn
    /// The sign-in ends, with nothing sent or changed.
    case cancel
    /// That callback is not the person's: nothing of it is sent, and the sign-in waits for another one.
    ///
    /// The same as `cancel` where the user agent takes one answer only.
    case waitForAnother
}

/// Shows a person who would be signed in and asks whether that is meant; what it throws ends the sign-in.
public typealias SignInConfirmation = @Sendable (SignInProposal) async throws -> SignInDecision

/// Is told why a callback was refused while the sign-in goes on waiting for another: to be shown to the person.
///
/// Told are tokens that a check, the person or the service refused, and once for each sentence, 16 of them at most,
/// callbacks of another account and errors that the sign-in page brought. Anybody may have sent any of them.
public typealias SignInRefusal = @Sendable (NianticError) -> Void
