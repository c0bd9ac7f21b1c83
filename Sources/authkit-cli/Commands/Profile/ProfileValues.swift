/// Collects the values of profile fields from a command line.
enum ProfileValues {
    /// The fields that were given, by flag.
    static func given(_ arguments: ParsedArguments) -> [String: [String]] {
        var values: [String: [String]] = [:]
        for field in ProfileField.oidc where arguments.has(field.flag) {
            values[field.flag] = arguments.all(field.flag)
        }
        return values
    }
}
