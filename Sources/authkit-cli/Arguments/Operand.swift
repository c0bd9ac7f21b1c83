/// A word that a command takes besides its flags.
struct Operand: Sendable, Hashable {
    /// How a shell can complete it.
    enum Completion: Sendable, Hashable {
        /// Not at all.
        case none
        /// The names of profiles.
        case profile
        /// A path.
        case file
        /// One of these words.
        case words([String])
    }

    /// The name in help.
    let name: String
    /// Whether it may be left out.
    let isOptional: Bool
    /// Whether an empty text is one that the command judges itself.
    let mayBeEmpty: Bool
    /// How a shell can complete it.
    let completion: Completion

    /// Declares an operand.
    init(_ name: String, optional: Bool = false, mayBeEmpty: Bool = false, completion: Completion = .none) {
        self.name = name
        isOptional = optional
        self.mayBeEmpty = mayBeEmpty
        self.completion = completion
    }

    /// How it stands in a synopsis.
    var synopsis: String { isOptional ? "[\(name)]" : name }

    /// The profile that a command is about; without it the profile set as the one to use.
    static let profile = Operand("PROFILE", optional: true, completion: .profile)
}
