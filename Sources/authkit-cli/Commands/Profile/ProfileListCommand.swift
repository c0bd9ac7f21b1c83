internal import AuthKitCore

/// `profile list`: the profiles there are.
enum ProfileListCommand {
    static let shape = CommandShape(
        "profile list",
        summary: "list the profiles",
        flags: [Flag("names", help: "names alone, one a line")],
        examples: ["authkit profile list", "authkit profile list --json"],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let configuration = try invocation.configurationFile.load()
        let profiles = configuration.names.compactMap { name in configuration.profiles[name].map { (name, $0) } }
        if invocation.console.style.json {
            try invocation.console.data(
                .array(
                    profiles.map { name, profile in
                        .object(ProfileWriter.document(name, profile, name == configuration.defaultProfile))
                    }
                )
            )
        } else if invocation.arguments.has("names") {
            try invocation.console.data(profiles.map { SafeText.tamed($0.0) + "\n" }.joined())
        } else if profiles.isEmpty {
            invocation.console.say("There is no profile; make one with `authkit profile add NAME --issuer URL …`.")
        } else {
            let rows = profiles.map { name, profile in
                [
                    name == configuration.defaultProfile ? "*" : "", name, profile.provider,
                    profile["issuer"] ?? profile["token-endpoint"] ?? "", profile["client-id"] ?? "",
                ]
            }
            try invocation.console.data(TextTable(["", "NAME", "PROVIDER", "ISSUER", "CLIENT"], rows).text)
        }
        return .done
    }
}
