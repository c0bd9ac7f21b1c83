/// Collects the values of profile fields from a command line.
enum ProfileValues {
    /// The fields that were given, by flag.
    static func given(_ arguments: ParsedArguments) -> [String: [String]] {
        var values: [String: [String]] = [:]
        for field in ProfileField.all where arguments.has(field.flag) {
            values[field.flag] = arguments.all(field.flag)
        }
        return values
    }

    /// Refuses (64) fields that a provider does not have.
    static func check(_ flags: some Sequence<String>, of provider: String, _ shape: CommandShape) throws(UsageError) {
        let known = Set((ProfileField.fields(of: provider) ?? []).map(\.flag))
        guard let stray = flags.sorted().first(where: { !known.contains($0) }) else { return }
        throw UsageError("A profile of --provider \(provider) has no --\(stray); leave it out.", command: shape)
    }
}
