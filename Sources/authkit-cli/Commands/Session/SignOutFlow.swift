internal import AuthKitCore
internal import LoopbackHTTP
internal import ProviderOIDC

/// Signs out of one credential and ends the person's session at the issuer.
struct SignOutFlow: Sendable {
    /// What to sign out of; without a profile, or with one that cannot be used, the tokens are removed here only.
    struct Target: Sendable {
        /// The profile's name.
        let name: String
        /// The credential.
        let id: CredentialID
        /// The profile, if there is still one.
        let profile: Profile?
    }

    /// What came of it.
    struct Result: Sendable {
        /// What is left undone, a sentence each.
        var failures: [String] = []
        /// Why the session at the issuer may go on, a sentence each.
        var sessionFailures: [String] = []
        /// For JSON output.
        var document: JSONObject
    }

    /// Where the browser fetches the issuer's address and comes back to.
    private struct Window: Sendable {
        let redirect: OneShotRedirect
        let state: AwaitedState
        let browser: SystemBrowser
    }

    /// How far the browser came with the session at the issuer.
    private enum SessionEnd: String {
        /// Nobody was sent: the address was printed.
        case addressPrinted = "address_printed"
        /// The browser was sent; the issuer's page says the rest.
        case sent
        /// The browser was sent and should have come back, but did not.
        case unconfirmed
        /// The issuer sent the browser back.
        case ended
    }

    private let invocation: Invocation

    /// Makes a flow for a run of a command.
    init(_ invocation: Invocation) {
        self.invocation = invocation
    }

    /// Signs out; throws only when the tokens could not be removed here.
    func run(_ target: Target, in vault: Vault?) async throws -> Result {
        var result = Result(document: ["profile": .string(target.name), "state": "signed_out"])
        guard let vault else {
            invocation.console.say("Nobody is signed in to \(target.name).")
            return result
        }
        let isLocal = invocation.arguments.has("local")
        let browser = isLocal || !hasBrowser ? nil : try SignInFlow.browser(invocation)
        let window = browser.flatMap { signOutWindow(target, $0) }
        let (provider, failure) = provider(target, signedOutAt: window?.redirect.signedOutURI)
        let isUnreadable = try await isUnreadable(target.id, in: vault)
        let session = ProfileSession.session(target.id, provider, vault, invocation)
        let report: SignOutReport
        do {
            report = try await session.signOut(local: isLocal || failure != nil)
        } catch {
            await window?.redirect.close()
            throw error
        }
        if isUnreadable, !isLocal {
            result.failures.append(
                "what was held for \(target.name) could not be read, because something else had changed it, and so was "
                    + "not revoked; end it at the issuer."
            )
        } else if let failure, report.wasSignedIn, !isLocal {
            result.failures.append("\(target.name) could not ask its issuer: \(failure)")
        }
        if isUnreadable {
            invocation.console.say("Removed what was stored for \(target.name), which could not be read.")
        } else {
            invocation.console.say(
                report.wasSignedIn ? "Signed out of \(target.name)." : "Nobody was signed in to \(target.name)."
            )
        }
        for revocation in report.revocations {
            if let failure = revocation.failure {
                let reason = Self.reason(failure, of: target.profile)
                result.failures.append("the \(revocation.subject) of \(target.name) was not revoked: \(reason)")
            } else {
                invocation.console.detail("The issuer revoked the \(revocation.subject).")
            }
        }
        if let failure = report.endSessionFailure {
            let sentence = CommandFailure(describing: failure).message
            result.sessionFailures.append("the session of \(target.name) at the issuer may go on: \(sentence)")
        }
        if let request = report.endSession {
            result.document["end_session_url"] = .string(request.printable)
            result.document["end_session"] = .string(await endSession(request, at: window).rawValue)
        } else {
            await window?.redirect.close()
        }
        return result
    }

    /// Whether something is stored that does not open, so that nobody can say what it was.
    private func isUnreadable(_ id: CredentialID, in vault: Vault) async throws -> Bool {
        do {
            _ = try await vault.load(id)
            return false
        } catch let error as VaultError where error.code == .tampered {
            return true
        }
    }

    /// Why a revocation failed; a client that has no secret is not told to check it.
    private static func reason(_ failure: any ProviderFailure, of profile: Profile?) -> String {
        guard let failure = failure as? OIDCError, failure.reason == .clientRefused,
            profile?["client-secret-file"] == nil
        else { return "\(failure)" }
        return "this issuer does not let clients without a secret revoke; revoke the app at the issuer."
    }

    /// The provider, or one that can do nothing, with the reason: a broken profile keeps no tokens here.
    private func provider(_ target: Target, signedOutAt redirect: String?) -> (any TokenProvider, failure: String?) {
        guard let profile = target.profile else {
            return (AbsentProvider(kind: target.id.provider), "no profile names \(target.id.issuer) any more.")
        }
        do {
            return (try ProfileSession.provider(profile, invocation, signedOutAt: redirect).base, nil)
        } catch {
            return (AbsentProvider(kind: target.id.provider), CommandFailure(describing: error).message)
        }
    }

    /// Whether there is a browser to end the session with.
    private var hasBrowser: Bool {
        guard !invocation.isNonInteractive, !invocation.arguments.has("no-browser") else { return false }
        return ["BROWSER", "DISPLAY", "WAYLAND_DISPLAY"].contains { invocation.environment[$0] != nil }
    }

    /// The loopback address for the browser, which knows where the issuer sends it back to.
    private func signOutWindow(_ target: Target, _ browser: SystemBrowser) -> Window? {
        let redirect = target.profile?["post-logout-redirect-uri"]
        let isLoopback = redirect.flatMap { WebURL($0) }.map { $0.scheme == "http" && $0.isLoopback } ?? false
        do {
            let state = AwaitedState()
            let window = try OneShotRedirect.listen(
                signedOutAt: isLoopback ? redirect : nil,
                accepting: state.accepts,
                time: invocation.time
            )
            return Window(redirect: window, state: state, browser: browser)
        } catch {
            invocation.console.warn("\(error)")
            return nil
        }
    }

    /// Sends the browser to the issuer by way of a one-shot address, so that no process is started with the token.
    private func endSession(_ request: EndSessionRequest, at window: Window?) async -> SessionEnd {
        let manual = "To end the session at the issuer, open:\n\n  \(request.printable)\n"
        guard let window else {
            invocation.console.say(manual)
            return .addressPrinted
        }
        window.state.expect(request.state)
        let redirect = window.redirect
        redirect.send(to: request.address)
        guard await window.browser.open(redirect.address), await redirect.waitUntilFetched(within: .seconds(10)) else {
            await redirect.close()
            invocation.console.say(manual)
            return .addressPrinted
        }
        guard redirect.signedOutURI != nil else {
            invocation.console.say(
                "The browser was sent to the issuer to end the session there; its page says whether it has."
            )
            return .sent
        }
        guard await redirect.waitUntilSignedOut(within: .seconds(20)) != nil else {
            invocation.console.warn(
                "The issuer did not say that its session has ended, so it may go on; look into the browser."
            )
            return .unconfirmed
        }
        invocation.console.say("The browser was sent to the issuer, which has ended the session there.")
        return .ended
    }
}
