internal import AuthKitCore

/// `profile show`: what a profile says.
enum ProfileShowCommand {
    static let shape = CommandShape(
        "profile show",
        summary: "show a profile",
        operands: [.profile],
        examples: ["authkit profile show work", "authkit profile show work --json"],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let configuration = try invocation.configurationFile.load()
        let (name, profile) = try configuration.profile(invocation.arguments.operand(0))
        let object = ProfileWriter.document(name, profile, name == configuration.defaultProfile)
        if invocation.console.style.json {
            try invocation.console.data(.object(object))
            return .done
        }
        let lines = object.members.map { member -> String in
            let texts = member.value.array?.compactMap(\.string) ?? [Self.text(member.value)]
            return "\(member.name): \(SafeText.tamed(texts.joined(separator: ", ")))\n"
        }
        try invocation.console.data(lines.joined())
        return .done
    }

    private static func text(_ value: JSONValue) -> String {
        if let flag = value.bool { return flag ? "yes" : "no" }
        return value.string ?? value.number?.description ?? ""
    }
}
