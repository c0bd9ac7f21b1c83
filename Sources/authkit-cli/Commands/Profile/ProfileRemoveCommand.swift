internal import AuthKitCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// `profile remove`: takes a profile away, and on request what is stored for it.
enum ProfileRemoveCommand {
    static let shape = CommandShape(
        "profile remove",
        summary: "remove a profile",
        details: [
            "While somebody is signed in it is refused: sign out first, or give --forget or --force. The file of a client "
                + "secret that `profile import` wrote is removed too."
        ],
        operands: [Operand("NAME", completion: .profile)],
        flags: [Flag("forget", help: "remove the stored tokens too, without revoking them"), HeldSignIn.flag],
        examples: ["authkit logout work && authkit profile remove work", "authkit profile remove work --forget"],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let name = invocation.arguments.operands[0]
        let (_, profile) = try invocation.profile()
        let id = ProfileBuilder.credentialID(name, profile)
        let forgets = invocation.arguments.has("forget")
        if !forgets { try await HeldSignIn(invocation).check(name, profile, becomes: nil) }
        if forgets, let vault = try await StoreOpening(invocation).vault(creating: false),
            let version = try await vault.version(of: id)
        {
            try await vault.purge(id, expecting: version)
        }
        let secretFile = try ProfileImportCommand.secretFile(of: name, invocation.places)
        let (next, leavesSecret) = try await invocation.configurationFile.edit { configuration in
            guard configuration.profiles.removeValue(forKey: name) != nil else {
                _ = try configuration.profile(name)
                return (configuration.defaultProfile, false)
            }
            if configuration.defaultProfile == name {
                configuration.defaultProfile = configuration.names.count == 1 ? configuration.names[0] : nil
            }
            let isShared = configuration.profiles.values.contains { $0["client-secret-file"] == secretFile }
            return (configuration.defaultProfile, profile["client-secret-file"] == secretFile && !isShared)
        }
        let console = invocation.console
        console.say("Removed the profile \(name).")
        if leavesSecret {
            if unsafe unlink(secretFile) == 0 {
                console.say("Removed its client secret, \(secretFile).")
            } else if errno != ENOENT {
                console.warn("\(secretFile) cannot be removed (\(SystemError.last)); remove it by hand.")
            }
        }
        if next == nil {
            console.say("There is no default profile now; `authkit profile set-default NAME` chooses one.")
        }
        if console.style.json {
            try console.data(["name": .string(name), "removed": true, "default": next.map { .string($0) } ?? .null])
        }
        return .done
    }
}
