public import AuthKitCore

/// A service account of the development identity service: whoever has its key gets its access tokens.
public struct DevServiceAccount: Sendable, Hashable {
    /// Its name, which its tokens carry as their subject.
    public var name: String
    /// Its key.
    public var key: Secret

    /// Makes an account.
    public init(name: String, key: Secret) {
        self.name = name
        self.key = key
    }

    /// Who its tokens are about: nobody with an address.
    var user: DevUser {
        DevUser(subject: "service-account-\(name)", name: name, fullName: "", email: "")
    }
}
