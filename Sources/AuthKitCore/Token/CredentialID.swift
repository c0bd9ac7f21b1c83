/// Names a credential before anyone has signed in: the same in memory, in a store and on every machine.
///
/// Who signed in is an attribute of the stored credential, not part of its name.
public struct CredentialID: Sendable, Hashable {
    /// The kind of provider.
    public let provider: ProviderKind
    /// Issuer or tenant, byte for byte as configured.
    public let issuer: String
    /// The client identifier there.
    public let client: String
    /// What tells several credentials of one client apart: a profile's name, a chat, a service type.
    public let slot: String

    /// Names a credential.
    public init(provider: ProviderKind, issuer: String, client: String, slot: String) {
        self.provider = provider
        self.issuer = issuer
        self.client = client
        self.slot = slot
    }

    /// What stands where none is known yet; never stored.
    static let unnamed = CredentialID(provider: ProviderKind(""), issuer: "", client: "", slot: "")

    /// The four parts, each with its length before it, so that no two names share their bytes.
    package var canonicalBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(
            provider.name.utf8.count + issuer.utf8.count + client.utf8.count + slot.utf8.count + 16
        )
        LengthPrefixed.append(provider.name.utf8, to: &bytes)
        LengthPrefixed.append(issuer.utf8, to: &bytes)
        LengthPrefixed.append(client.utf8, to: &bytes)
        LengthPrefixed.append(slot.utf8, to: &bytes)
        return bytes
    }
}

extension CredentialID: CustomStringConvertible {
    /// The slot and the kind: what a person recognises.
    public var description: String { "\(slot) (\(provider), \(issuer))" }
}
