/// Whose limit counts: one issuer as one kind of provider sees it.
package struct IssuerKey: Sendable, Hashable {
    package let provider: ProviderKind
    package let issuer: String

    /// Takes the issuer of a credential.
    package init(_ id: CredentialID) {
        provider = id.provider
        issuer = id.issuer
    }
}
