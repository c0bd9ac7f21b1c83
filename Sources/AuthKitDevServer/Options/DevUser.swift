/// Somebody who can sign in at the development issuer; nobody has a password.
public struct DevUser: Sendable, Hashable {
    /// The `sub` claim.
    public var subject: String
    /// The `preferred_username` claim, and what the sign-in page asks for.
    public var name: String
    /// The `name` claim.
    public var fullName: String
    /// The `email` claim.
    public var email: String

    /// Makes a user.
    public init(subject: String, name: String, fullName: String, email: String) {
        self.subject = subject
        self.name = name
        self.fullName = fullName
        self.email = email
    }

    /// Makes a user whose other claims follow from the name.
    public init(name: String) {
        let capital = name.prefix(1).uppercased() + name.dropFirst()
        self.init(subject: "user-\(name)", name: name, fullName: "\(capital) Example", email: "\(name)@example.org")
    }

    /// Whether a login hint means this user: by name, email address or subject.
    func matches(_ hint: String) -> Bool { hint == name || hint == email || hint == subject }
}
