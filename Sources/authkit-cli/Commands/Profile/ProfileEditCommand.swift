internal import AuthKitCore

/// `profile edit`: changes fields of a profile.
enum ProfileEditCommand {
    static let shape = CommandShape(
        "profile edit",
        summary: "change a profile",
        details: [
            "Fields that are given replace those that are set; a list is replaced as a whole. Another issuer or client "
                + "is another credential: sign out before, and sign in again then."
        ],
        operands: [Operand("NAME", completion: .profile)],
        flags: [
            Flag(
                "unset",
                .choice(ProfileField.all.map(\.flag)),
                repeatable: true,
                help: "take a field away, such as audience"
            )
        ] + [HeldSignIn.flag] + ProfileField.all.map(\.asFlag),
        examples: [
            "authkit profile edit work --scope \"openid email\"", "authkit profile edit work --unset audience",
        ],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let arguments = invocation.arguments
        let name = arguments.operands[0]
        let given = ProfileValues.given(arguments)
        let unset = arguments.all("unset")
        guard !given.isEmpty || !unset.isEmpty else {
            throw UsageError("Say what to change, such as --scope \"openid email\".", command: shape)
        }
        if let both = unset.first(where: { given[$0] != nil }) {
            throw UsageError("--\(both) is set and unset at once.", command: shape)
        }
        let builder = ProfileBuilder(places: invocation.places, place: invocation.place)
        let change = { (old: Profile) throws(CommandFailure) -> Profile in
            var values = old.values.merging(given) { _, new in new }
            for field in unset { values[field] = nil }
            return try builder.profile(old.provider, values)
        }
        let before = try invocation.profile().profile
        try ProfileValues.check(Array(given.keys) + unset, of: before.provider, shape)
        try await HeldSignIn(invocation).check(name, before, becomes: try change(before))
        let isOther = try await invocation.configurationFile.edit { configuration in
            let old = try configuration.profile(name).profile
            let new = try change(old)
            configuration.profiles[name] = new
            return ProfileBuilder.credentialID(name, old) != ProfileBuilder.credentialID(name, new)
        }
        invocation.console.say("Changed the profile \(name).")
        if isOther {
            invocation.console.warn("It is another credential now; run: authkit login \(name)")
        }
        if invocation.console.style.json {
            let configuration = try invocation.configurationFile.load()
            let (name, profile) = try configuration.profile(name)
            let object = ProfileWriter.document(name, profile, name == configuration.defaultProfile)
            try invocation.console.data(.object(object))
        }
        return .done
    }
}
