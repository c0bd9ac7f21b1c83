internal import AuthKitCore

/// `logout`: removes the tokens, then revokes them and ends the session at the issuer.
enum LogoutCommand {
    static let shape = CommandShape(
        "logout",
        summary: "remove the tokens, revoke them, and end the session at the issuer",
        details: [
            "The tokens are removed first: a server that fails does not keep them here. The session at the issuer is ended "
                + "through the browser when there is one, else its address is printed."
        ],
        operands: [.profile],
        flags: [
            Flag("local", help: "remove the tokens here and ask no server"),
            Flag("all", help: "sign out of everything in the store"),
            Flag("no-browser", help: "print the address that ends the session, open nothing"),
        ] + ProfileSession.flags,
        examples: ["authkit logout work", "authkit logout --all --local"],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let targets = try await targets(invocation)
        var failures: [String] = []
        var results: [JSONValue] = []
        for target in targets {
            let result = try await SignOutFlow(invocation).run(target)
            failures += result.failures
            results.append(.object(result.document))
        }
        let console = invocation.console
        if console.style.json, failures.isEmpty {
            try console.data(invocation.arguments.has("all") ? .array(results) : results.first ?? .null)
        }
        guard !failures.isEmpty else { return .done }
        throw CommandFailure(
            .unavailable,
            "revocation_failed",
            "The tokens are removed here, but not all is undone at the issuer: \(failures.joined(separator: " "))",
            remedy: .retry(after: nil)
        )
    }

    private static func targets(_ invocation: Invocation) async throws -> [SignOutFlow.Target] {
        guard invocation.arguments.has("all") else {
            let (name, profile) = try invocation.profile()
            return [.init(name: name, id: ProfileBuilder.credentialID(name, profile), profile: profile)]
        }
        if let name = invocation.arguments.operand(0) {
            throw UsageError("--all is everything; leave out \(SafeText.quoted(name)).", command: shape)
        }
        let profiles = try invocation.configurationFile.load().profiles
        let listing = try await StoreOpening(invocation).vault(creating: false)?.listing()
        for key in listing?.damaged ?? [] {
            invocation.console.warn("The record \(key) was changed by something else and cannot be signed out.")
        }
        return (listing?.summaries ?? []).filter { $0.state != .signedOut }.map { summary in
            let profile = profiles[summary.id.slot].flatMap { profile in
                ProfileBuilder.credentialID(summary.id.slot, profile) == summary.id ? profile : nil
            }
            return .init(name: summary.id.slot, id: summary.id, profile: profile)
        }
    }
}
