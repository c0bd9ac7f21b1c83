/// What a renewal came to.
public enum Renewal: Sendable {
    /// The credential as it is to be stored.
    case renewed(StoredCredential)
    /// The provider has nothing newer and says why; what is held stays.
    case declined(reason: String)
}
