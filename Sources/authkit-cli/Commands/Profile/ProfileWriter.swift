internal import AuthKitCore

/// Puts profiles into the configuration file and says so.
struct ProfileWriter: Sendable {
    private let invocation: Invocation

    /// Makes a writer for one run of a command.
    init(_ invocation: Invocation) {
        self.invocation = invocation
    }

    /// Adds a profile; one of that name is replaced only when that was asked for.
    ///
    /// The first becomes the default one.
    func add(_ name: String, _ profile: Profile, replacing: Bool) async throws {
        if replacing {
            let before = try invocation.configurationFile.load(toEdit: true).profiles[name]
            try await HeldSignIn(invocation).check(name, before, becomes: profile)
        }
        let (isNew, isDefault) = try await invocation.configurationFile.edit { configuration in
            if configuration.profiles[name] != nil, !replacing { throw Self.exists(name) }
            let isNew = configuration.profiles.updateValue(profile, forKey: name) == nil
            if configuration.defaultProfile == nil { configuration.defaultProfile = name }
            return (isNew, configuration.defaultProfile == name)
        }
        let next = NianticProfile.needsPerson(profile) ? "login" : "token"
        invocation.console.say(
            "\(isNew ? "Added" : "Replaced") the profile \(name)\(isDefault ? ", the default one" : ""). "
                + "Now run: authkit \(next) \(name)"
        )
        if invocation.console.style.json {
            try invocation.console.data(.object(Self.document(name, profile, isDefault)))
        }
    }

    /// Why a profile cannot be added.
    static func exists(_ name: String) -> CommandFailure {
        .configuration(
            "There is a profile \(SafeText.quoted(name)) already; add --replace, or change it with `authkit profile edit`.",
            code: "profile_exists"
        )
    }

    /// A profile as JSON output has it.
    static func document(_ name: String, _ profile: Profile, _ isDefault: Bool) -> JSONObject {
        var object: JSONObject = ["name": .string(name), "default": .bool(isDefault)]
        for member in profile.document.members { object[member.name] = member.value }
        return object
    }
}
