internal import AuthKitCore
internal import ProviderNiantic

/// Shows who a callback would sign in, and asks on the terminal where there is one.
///
/// The sign-in has no `state`: a stranger's page can open a callback with the stranger's own token.
struct AccountConfirmation: Sendable {
    private let invocation: Invocation

    /// Makes one for a run of a command.
    init(_ invocation: Invocation) {
        self.invocation = invocation
    }

    /// Asks whether it is meant; without a terminal showing is all that can be done.
    ///
    /// A no is one to that callback, which may be a stranger's: the person's own is still waited for.
    func confirm(_ proposal: SignInProposal) async throws -> SignInDecision {
        let who = proposal.account.map(Self.name) ?? "somebody whom its token does not name"
        let previous = proposal.previous.map(Self.name) ?? "somebody not named"
        let before = proposal.isSwitch ? "; until now it was \(previous)" : ""
        invocation.console.insist("The answer that came signs in \(who)\(before).")
        guard !invocation.isNonInteractive else { return .signIn }
        let limit = try invocation.timeLeft ?? SignInFlow.patience
        let prompt = TerminalPrompt(on: invocation.surroundings.terminal, time: invocation.time)
        let isMeant = try await prompt.confirm("Sign in as \(SafeText.tamed(who))?", within: limit) ?? true
        return isMeant ? .signIn : .waitForAnother
    }

    /// Says that a callback was refused; anybody may have sent it, so that the person's own is still waited for.
    func tell(_ refusal: NianticError) {
        let flag = refusal.reason == .accountChanged ? " --switch-account allows it." : ""
        invocation.console.insist(
            "\(refusal.detail)\(flag) Until then the login waits for another answer; Ctrl-C ends it."
        )
    }

    private static func name(_ account: Account) -> String {
        account.displayName.map { "\($0) (\(account.subject))" } ?? account.subject
    }
}
