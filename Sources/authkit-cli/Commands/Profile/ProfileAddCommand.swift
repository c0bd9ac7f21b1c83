/// `profile add`: writes a new profile.
enum ProfileAddCommand {
    static let shape = CommandShape(
        "profile add",
        summary: "add a profile: an issuer and what you are there",
        details: [
            "What can be checked offline is checked; discovery happens at the first use. The first profile becomes the "
                + "default one. Secrets are named by a file, never written into the configuration."
        ],
        operands: [Operand("NAME")],
        flags: [
            Flag("provider", .choice(["oidc"]), help: "the kind of provider; oidc unless given"),
            Flag("replace", help: "replace a profile of that name"),
            HeldSignIn.flag,
        ] + ProfileField.oidc.map(\.asFlag),
        examples: [
            "authkit profile add work --provider oidc --issuer https://issuer.example --client-id my-client",
            "authkit profile add ci --issuer https://issuer.example --client-id ci --client-secret-file ~/ci.secret",
        ],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let arguments = invocation.arguments
        let name = arguments.operands[0]
        try Profile.checkName(name)
        guard arguments.has("client-id") else { throw UsageError("Name the client: --client-id ID.", command: shape) }
        let builder = ProfileBuilder(places: invocation.places, place: invocation.place)
        let values = ProfileValues.given(arguments)
        let profile = try builder.profile(arguments.value("provider") ?? "oidc", values)
        try await ProfileWriter(invocation).add(name, profile, replacing: arguments.has("replace"))
        return .done
    }
}
