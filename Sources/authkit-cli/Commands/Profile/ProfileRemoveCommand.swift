internal import AuthKitCore

/// `profile remove`: takes a profile away, and on request what is stored for it.
enum ProfileRemoveCommand {
    static let shape = CommandShape(
        "profile remove",
        summary: "remove a profile",
        details: ["Tokens that are stored for it stay, unless --forget is given; sign out first to revoke them."],
        operands: [Operand("NAME", completion: .profile)],
        flags: [Flag("forget", help: "remove the stored tokens too, without revoking them")],
        examples: ["authkit logout work && authkit profile remove work", "authkit profile remove work --forget"],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let name = invocation.arguments.operands[0]
        let (_, profile) = try invocation.profile()
        let id = ProfileBuilder.credentialID(name, profile)
        if invocation.arguments.has("forget"), let vault = try await StoreOpening(invocation).vault(creating: false),
            let version = try await vault.version(of: id)
        {
            try await vault.purge(id, expecting: version)
        }
        let next = try await invocation.configurationFile.edit { configuration in
            guard configuration.profiles.removeValue(forKey: name) != nil else {
                _ = try configuration.profile(name)
                return configuration.defaultProfile
            }
            if configuration.defaultProfile == name {
                configuration.defaultProfile = configuration.names.count == 1 ? configuration.names[0] : nil
            }
            return configuration.defaultProfile
        }
        invocation.console.say("Removed the profile \(name).")
        if next == nil {
            invocation.console.say("There is no default profile now; `authkit profile set-default NAME` chooses one.")
        }
        return .done
    }
}
