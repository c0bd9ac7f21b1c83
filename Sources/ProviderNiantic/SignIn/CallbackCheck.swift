internal import AuthKitCore

/// Decides whether an answer is the one that a waiting sign-in waits for.
///
/// The protocol has no `state`: whoever can open a URL can send a callback. So one is taken only while a sign-in waits,
/// one only, with exactly one token, a structurally valid JWT that has not ended, was not used before and may be this
/// credential's. Whether a person meant it, is asked afterwards; a token that the service refuses makes place for another.
final class CallbackCheck: Sendable {
    private struct State {
        /// The token that is taken, by fingerprint.
        var taken: String?
        var tried: Set<String> = []
        var refusal: String?
        var accountFault: NianticError?
    }

    /// How many tokens may be taken in one wait: each costs the service a request.
    private static let tokenLimit = 16

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

    /// Why the last callback was no good, in a sentence: an error of the sign-in page, whose it was, the service's no.
    ///
    /// It ends nothing, since anybody could have sent it; bounded and tame.
    var refusal: String? { state.withLock { $0.refusal } }

    /// Why the last callback was not taken, where that was another account's.
    var accountFault: NianticError? { state.withLock { $0.accountFault } }

    /// Whether this is the answer; true once at most, until that one is given up.
    func accepts(_ answer: RedirectAnswer) -> Bool {
        let fault = fault(of: answer)
        Trace.check("callback", passed: fault == nil, clause: fault ?? "one unexpired session token")
        guard fault == nil else {
            if let error = answer.single("error"), !error.isEmpty {
                let words = OAuthErrorBody(error: error, description: answer.single("error_description"))
                let more = words.description.map { " (\($0))" } ?? ""
                state.withLock { $0.refusal = "A callback said: \(words.error)\(more)." }
            }
            return false
        }
        let word = token(in: answer).map { TokenFingerprint(of: $0).word }
        return state.withLock { state in
            guard let word, state.taken == nil, state.tried.insert(word).inserted else { return false }
            state.taken = word
            return true
        }
    }

    /// Gives up the token that was taken, which will not be taken again; false where too many were.
    func giveUp(because refusal: NianticError) -> Bool {
        state.withLock { state in
            state.taken = nil
            state.refusal = refusal.description
            return state.tried.count < Self.tokenLimit
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
