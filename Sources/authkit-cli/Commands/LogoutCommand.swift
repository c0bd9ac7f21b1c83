internal import AuthKitCore

/// `logout`: removes the tokens, then revokes them and ends the session at the issuer.
enum LogoutCommand {
    static let shape = CommandShape(
        "logout",
        summary: "remove the tokens, revoke them, and end the session at the issuer",
        details: [
            "The tokens are removed first: a server that fails does not keep them here. The session at the issuer is ended "
                + "through the browser when there is one, else its address is printed.",
            "What the profile held for another issuer or client is removed too; it cannot be revoked.",
            "It ends with 69 when something is left undone at the issuer: the code is revocation_failed, or "
                + "end_session_failed where it is the session alone.",
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
        let vault = try await StoreOpening(invocation).vault(creating: false)
        let targets = try await targets(invocation, in: vault)
        var failures: [String] = []
        var isRevoked = true
        var results: [JSONValue] = []
        for target in targets {
            let result = try await SignOutFlow(invocation).run(target, in: vault)
            failures += result.failures + result.sessionFailures
            if !result.failures.isEmpty { isRevoked = false }
            results.append(.object(result.document))
        }
        let console = invocation.console
        if targets.isEmpty { console.say("Nobody is signed in to anything here: there is nothing to remove.") }
        if console.style.json, failures.isEmpty {
            try console.data(invocation.arguments.has("all") ? .array(results) : results.first ?? .null)
        }
        guard !failures.isEmpty else { return .done }
        throw CommandFailure(
            .unavailable,
            isRevoked ? "end_session_failed" : "revocation_failed",
            "The tokens are removed here, but not all is undone at the issuer: \(failures.joined(separator: " "))",
            remedy: .retry(after: nil)
        )
    }

    /// What is in the store under the profile's name: its credential, and those of issuers and clients that it had.
    private static func targets(_ invocation: Invocation, in vault: Vault?) async throws -> [SignOutFlow.Target] {
        let configuration = try invocation.configurationFile.load()
        let listing = try await vault?.listing()
        let stored = (listing?.summaries ?? []).filter { $0.state != .signedOut }.map(\.id)
        func target(_ id: CredentialID) -> SignOutFlow.Target {
            .init(name: id.slot, id: id, profile: ProfileBuilder.profile(of: id, among: configuration.profiles))
        }
        guard invocation.arguments.has("all") else {
            if let name = invocation.arguments.operand(0), configuration.profiles[name] == nil {
                let orphans = stored.filter { $0.slot == name }.map(target)
                if !orphans.isEmpty { return orphans }
            }
            let (name, profile) = try configuration.profile(invocation.arguments.operand(0))
            let own = ProfileBuilder.credentialID(name, profile)
            return [target(own)] + stored.filter { $0.slot == name && $0 != own }.map(target)
        }
        if let name = invocation.arguments.operand(0) {
            throw UsageError("--all is everything; leave out \(SafeText.quoted(name)).", command: shape)
        }
        guard let vault, let damaged = listing?.damaged, !damaged.isEmpty else { return stored.map(target) }
        // A record that does not open is found by its profile's name alone.
        let names = try await DamagedRecords(in: vault, profiles: configuration.profiles).names()
        if damaged.count > names.count {
            invocation.console.warn(
                "Of no profile here, \(CountedRecords(damaged.count - names.count, past: true)) changed by something else; "
                    + "to remove what stays, run: \(DamagedRecords.removal)"
            )
        }
        let unreadable = names.compactMap { name in
            configuration.profiles[name].map { target(ProfileBuilder.credentialID(name, $0)) }
        }
        return stored.map(target) + unreadable
    }
}
