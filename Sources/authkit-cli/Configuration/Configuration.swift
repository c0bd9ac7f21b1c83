/// What the configuration file says.
struct Configuration: Sendable, Hashable {
    /// The profile that is meant when none is named.
    var defaultProfile: String?
    /// Where the usual store's key comes from, when neither flag nor environment says.
    var keySource: String?
    /// Where the keys of other stores come from, by the address of each.
    var keySources: [String: String] = [:]
    /// The profiles by name.
    var profiles: [String: Profile] = [:]

    /// The names of the profiles in order.
    var names: [String] { profiles.keys.sorted() }

    /// Finds a profile by name, or the one that is meant without a name.
    func profile(_ name: String?) throws(CommandFailure) -> (name: String, profile: Profile) {
        guard let name = name ?? defaultProfile else {
            throw .configuration(
                profiles.isEmpty
                    ? "There is no profile; make one with `authkit profile add NAME --provider oidc …`."
                    : "Name a profile, or choose one for good with `authkit profile set-default NAME`.",
                code: "no_profile"
            )
        }
        guard let profile = profiles[name] else {
            let hint = Suggestion.phrase(name, among: names)
            throw .configuration(
                "There is no profile \(SafeText.quoted(name)); `authkit profile list` shows those there are.\(hint)",
                code: "unknown_profile"
            )
        }
        return (name, profile)
    }
}
