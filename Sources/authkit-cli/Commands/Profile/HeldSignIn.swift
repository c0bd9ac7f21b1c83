internal import AuthKitCore

/// Keeps a profile's sign-in from being orphaned: only the profile that it was made with can revoke it.
struct HeldSignIn: Sendable {
    /// The flag that lets it happen all the same.
    static let flag = Flag("force", help: "go on although somebody is signed in; what is stored is not revoked")

    private let invocation: Invocation

    /// Makes one for a run of a command.
    init(_ invocation: Invocation) {
        self.invocation = invocation
    }

    /// Refuses (78) to replace a profile by another credential, or by nothing, while somebody is signed in to it.
    func check(_ name: String, _ old: Profile?, becomes new: Profile?) async throws {
        guard let old, !invocation.arguments.has("force") else { return }
        let id = ProfileBuilder.credentialID(name, old)
        guard new.map({ ProfileBuilder.credentialID(name, $0) }) != id else { return }
        let word = PrivatePlace.shellQuoted(name)
        let isHeld: Bool
        do {
            isHeld = try await holds(id)
        } catch {
            let failure = CommandFailure(describing: error)
            throw CommandFailure(
                failure.exit,
                failure.code,
                "It cannot be seen whether somebody is signed in to \(name): \(failure.message) --force goes on without.",
                remedy: failure.remedy
            )
        }
        guard isHeld else { return }
        throw CommandFailure.configuration(
            "Somebody is signed in to \(name), and nothing could revoke that afterwards; "
                + "run: authkit logout \(word) first, or add --force.",
            code: "signed_in"
        )
    }

    private func holds(_ id: CredentialID) async throws -> Bool {
        guard let vault = try await StoreOpening(invocation).vault(creating: false) else { return false }
        do {
            return try await vault.summary(of: id)?.state == .signedIn
        } catch let error as VaultError where error.code == .tampered {
            // Whatever it was: `logout` removes it.
            return true
        }
    }
}
