/// What a sign-out came to.
///
/// The tokens are gone from here in every case.
public struct SignOutReport: Sendable {
    /// Whether anybody was signed in.
    public let wasSignedIn: Bool
    /// What the issuer was asked to revoke, and whether it did.
    public let revocations: [RevocationResult]
    /// Where a browser ends the person's session at the issuer, if there is such a place.
    public let endSession: EndSessionRequest?
    /// Why that place could not be found out, if it could not.
    public let endSessionFailure: (any Error)?
}
