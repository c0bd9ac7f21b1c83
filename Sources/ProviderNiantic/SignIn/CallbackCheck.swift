internal import AuthKitCore

/// Decides whether an answer is the one that a waiting sign-in waits for; used once.
///
/// The protocol has no `state`: whoever can open a URL can send a callback. So one is taken only while a sign-in waits,
/// one only, with exactly one token, a structurally valid JWT that has not ended, was not used before and may be this
/// credential's. Whether a person meant it, is asked afterwards.
final class CallbackCheck: Sendable {
    private struct State {
        var isTaken = false
        var refusal: String?
        var accountFault: NianticError?
    }

    private let isLoopback: Bool
    private let used: String?
    private let leeway: Duration
    private let time: any TimeSource
    private let otherAccount: @Sendable (Secret) -> NianticError?
    private let state = Guarded(State())

    /// Makes one; `used` is the fingerprint of the callback's token that the stored sign-in came by, `otherAccount` says
    /// why a token's account is not the one that may sign in, `leeway` by how much the token may have ended already.
    init(
        isLoopback: Bool,
        used: String?,
        leeway: Duration,
        time: any TimeSource,
        otherAccount: @escaping @Sendable (Secret) -> NianticError?
    ) {
        self.isLoopback = isLoopback
        self.used = used
        self.leeway = leeway
        self.time = time
        self.otherAccount = otherAccount
    }

    /// What a callback said that was not taken: an error of the sign-in page, or whose it was; bounded and tame.
    ///
    /// It ends nothing, since anybody could have sent it.
    var refusal: String? { state.withLock { $0.refusal } }

    /// Why the last callback was not taken, where that was another account's.
    var accountFault: NianticError? { state.withLock { $0.accountFault } }

    /// Whether this is the answer; true once at most.
    func accepts(_ answer: RedirectAnswer) -> Bool {
        let fault = fault(of: answer)
        Trace.check("callback", passed: fault == nil, clause: fault ?? "one unexpired session token")
        guard fault == nil else {
            if let error = answer.single("error"), !error.isEmpty {
                let words = OAuthErrorBody(error: error, description: answer.single("error_description"))
                state.withLock { $0.refusal = words.error + (words.description.map { " (\($0))" } ?? "") }
            }
            return false
        }
        return state.withLock { state in
            defer { state.isTaken = true }
            return !state.isTaken
        }
    }

    /// The token of an answer that was accepted.
    func token(in answer: RedirectAnswer) -> Secret? {
        // The Unity editor's page writes the name otherwise than the apps' does; there it is compared without case.
        let found = answer.parameters.filter { parameter in
            isLoopback ? parameter.name.lowercased() == "refreshtoken" : parameter.name == "refreshToken"
        }
        return found.count == 1 ? Secret(found[0].value) : nil
    }

    /// Why an answer is not it; nil when it is.
    private func fault(of answer: RedirectAnswer) -> String? {
        guard let token = token(in: answer) else { return "exactly one refreshToken" }
        guard JSONAnswer.isToken(token.reveal()), let claims = TokenClaims(token) else { return "a JWT" }
        // RFC 7519 §4.1.4, without leeway unless one is set: a token that ends now is of no use.
        guard let end = claims.expiresAt else { return "an exp" }
        guard end + leeway > time.now.wall else { return "not expired" }
        guard TokenFingerprint(of: token).word != used else { return "not used before" }
        let other = otherAccount(token)
        state.withLock { state in
            state.accountFault = other
            if let other { state.refusal = other.description }
        }
        return other == nil ? nil : "the account that may sign in"
    }
}
