internal import AuthKitCore

/// `profile set-default`: chooses the profile that is meant when none is named.
enum ProfileChooseCommand {
    static let shape = CommandShape(
        "profile set-default",
        summary: "choose the profile that is meant when none is named",
        operands: [Operand("NAME", completion: .profile)],
        examples: ["authkit profile set-default work"],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let name = invocation.arguments.operands[0]
        try await invocation.configurationFile.edit { configuration in
            configuration.defaultProfile = try configuration.profile(name).name
        }
        invocation.console.say("\(name) is the default profile now.")
        if invocation.console.style.json { try invocation.console.data(["name": .string(name), "default": true]) }
        return .done
    }
}
