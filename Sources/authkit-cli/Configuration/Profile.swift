/// One way to sign in, as configured: a provider and the values of its fields.
struct Profile: Sendable, Hashable {
    /// The provider's kind.
    var provider: String
    /// The values given, by the name of the flag; a field that takes one has one.
    var values: [String: [String]]

    /// Makes a profile.
    init(provider: String = "oidc", values: [String: [String]] = [:]) {
        self.provider = provider
        self.values = values
    }

    /// The one value of a field.
    subscript(field: String) -> String? { values[field]?.first }

    /// All values of a field.
    func all(_ field: String) -> [String] { values[field] ?? [] }

    /// Checks a profile's name: short, printable, without spaces, slashes or a dash in front.
    static func checkName(_ name: String) throws(CommandFailure) {
        let isFit = name.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || "._-@+".unicodeScalars.contains(scalar)
        }
        guard isFit, !name.isEmpty, name.utf8.count <= 100, !name.hasPrefix("-"), !name.hasPrefix(".") else {
            throw .usage("A profile's name is made of letters, digits and ._-@+, not \(SafeText.quoted(name)).")
        }
    }
}
