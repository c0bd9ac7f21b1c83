internal import AuthKitCore

/// `doctor`: looks for what is wrong and says how to mend it; changes nothing and asks no server.
enum DoctorCommand {
    static let shape = CommandShape(
        "doctor",
        summary: "check configuration, key source, store, clock, trust and browser; say how to mend what is wrong",
        details: ["Asks no server and changes nothing. Ends with 0 when nothing stands in the way, else with 78."],
        examples: ["authkit doctor", "authkit doctor --json"],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let findings = await Diagnosis(invocation).run()
        let console = invocation.console
        if console.style.json {
            try console.data(["checks": .array(findings.map { .object($0.document) })])
        } else {
            try console.data(findings.map(\.text).joined())
        }
        return findings.contains { $0.verdict == .broken } ? .configuration : .done
    }
}
