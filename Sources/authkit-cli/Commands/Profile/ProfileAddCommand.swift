/// `profile add`: writes a new profile.
enum ProfileAddCommand {
    static let shape = CommandShape(
        "profile add",
        summary: "add a profile: an issuer and what you are there",
        details: [
            "What can be checked offline is checked; discovery happens at the first use. The first profile becomes the "
                + "default one. Secrets are named by a file, never written into the configuration.",
            "--provider niantic is for the NSDK, by one of four flows: sample signs a person in at the browser and "
                + "exchanges in three steps; service-account exchanges the key of --api-key-file; developer-token hands out "
                + "that of --token-file; backend asks your own server at --backend-url. Each takes its own flags.",
        ],
        operands: [Operand("NAME")],
        flags: [
            Flag("provider", .choice(ProfileField.providers), help: "the kind of provider; oidc unless given"),
            Flag("replace", help: "replace a profile of that name"),
            HeldSignIn.flag,
        ] + ProfileField.all.map(\.asFlag),
        examples: [
            "authkit profile add work --provider oidc --issuer https://issuer.example --client-id my-client",
            "authkit profile add ci --issuer https://issuer.example --client-id ci --client-secret-file ~/ci.secret",
            "authkit profile add nsdk --provider niantic --redirect-type nsdk-external",
            "authkit profile add build --provider niantic --flow service-account --api-key-file ~/nsdk.key",
        ],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let arguments = invocation.arguments
        let name = arguments.operands[0]
        try Profile.checkName(name)
        let provider = arguments.value("provider") ?? "oidc"
        let values = ProfileValues.given(arguments)
        try ProfileValues.check(values.keys, of: provider, shape)
        if provider == "oidc", values["client-id"] == nil {
            throw UsageError("Name the client: --client-id ID.", command: shape)
        }
        if provider == "niantic", let fault = NianticProfile(Profile(provider: provider, values: values)).misfit {
            throw UsageError(fault, command: shape)
        }
        let builder = ProfileBuilder(places: invocation.places, place: invocation.place)
        let profile = try builder.profile(provider, values)
        try await ProfileWriter(invocation).add(name, profile, replacing: arguments.has("replace"))
        return .done
    }
}
