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
        let isDefault = try await invocation.configurationFile.edit { configuration in
            if configuration.profiles[name] != nil, !replacing { throw Self.exists(name) }
            configuration.profiles[name] = profile
            if configuration.defaultProfile == nil { configuration.defaultProfile = name }
            return configuration.defaultProfile == name
        }
        invocation.console.say(
            "Added the profile \(name)\(isDefault ? ", the default one" : ""). Now run: authkit login \(name)"
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
