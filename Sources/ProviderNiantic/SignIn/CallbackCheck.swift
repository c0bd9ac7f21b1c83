internal import AuthKitCore

/// Decides whether an answer is the one that a waiting sign-in waits for.
///
/// The protocol has no `state`: whoever can open a URL can send a callback. So one is taken only while a sign-in waits,
/// one at a time, with exactly one token, a structurally valid JWT that has not ended, was not used before and may be
/// this credential's. Whether a person meant it is asked afterwards; a token that is refused then makes place for another.
final class CallbackCheck: Sendable {
    private struct State {
        /// Counts the waits; who began to look in an earlier one takes nothing any more.
        var round = 1
        var isTaken = false
        /// The tokens that were taken, by fingerprint: none is tried twice.
        var tried: Set<String> = []
        var refusal: NianticError?
        var accountFault: NianticError?
        var told: Set<String> = []
    }

    /// The largest token that is taken, in bytes: with its cookie's name it must fit into one header field of 8 KiB, which
    /// is what servers take (nginx `large_client_header_buffers`, Apache `LimitRequestFieldSize`).
    private static let sizeLimit = 8000
    /// How many tokens are tried at once as they come; each costs the service a request.
    private static let quickTries = 16
    /// How many callbacks that were not taken are told, each sentence once.
    private static let toldLimit = 16

    private let isLoopback: Bool
    private let used: String?
    private let leeway: Duration
    private let time: any TimeSource
    private let otherAccount: @Sendable (Secret) -> NianticError?
    private let tell: SignInRefusal
    private let state = Guarded(State())

    /// Makes one.
    ///
    /// `used` is the fingerprint of the callback's token that the stored sign-in came by, `otherAccount` says
    /// why a token's account is not the one that may sign in, `leeway` by how much the token may have ended already.
    /// `tell` is given what the person should know of callbacks that are refused.
    init(
        isLoopback: Bool,
        used: String?,
        leeway: Duration,
        time: any TimeSource,
        otherAccount: @escaping @Sendable (Secret) -> NianticError?,
        tell: @escaping SignInRefusal
    ) {
        self.isLoopback = isLoopback
        self.used = used
        self.leeway = leeway
        self.time = time
        self.otherAccount = otherAccount
        self.tell = tell
    }

    /// Why the last callback was no good: an error of the sign-in page, whose it was, the service's no.
    ///
    /// It ends nothing, since anybody could have sent it; bounded and tame.
    var refusal: NianticError? { state.withLock { $0.refusal } }

    /// Why the last callback was not taken, where that was another account's.
    var accountFault: NianticError? { state.withLock { $0.accountFault } }

    /// The wait that begins now.
    var round: Int { state.withLock { $0.round } }

    /// How long to rest before the next token may come: none after a few, some after many.
    var pause: Duration { state.withLock { $0.tried.count < Self.quickTries ? .zero : .seconds(5) } }

    /// Whether this is the answer of a wait; true once in it at most.
    func accepts(_ answer: RedirectAnswer, in round: Int) -> Bool {
        let fault = fault(of: answer)
        Trace.check("callback", passed: fault == nil, clause: fault ?? "one unexpired session token")
        guard fault == nil, let token = token(in: answer) else {
            if let error = answer.single("error"), !error.isEmpty {
                pass(
                    over: Self.pageError(OAuthErrorBody(error: error, description: answer.single("error_description")))
                )
            }
            return false
        }
        let word = TokenFingerprint(of: token).word
        return state.withLock { state in
            guard state.round == round, !state.isTaken, state.tried.insert(word).inserted else { return false }
            state.isTaken = true
            return true
        }
    }

    /// Gives up the token that was taken, and begins the next wait.
    func giveUp(because refusal: NianticError) {
        state.withLock { state in
            state.round += 1
            state.isTaken = false
            state.refusal = refusal
        }
        tell(refusal)
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
        guard token.reveal().utf8.count <= Self.sizeLimit else { return "no larger than a cookie may be" }
        guard JSONAnswer.isToken(token.reveal()), let claims = TokenClaims(token) else { return "a JWT" }
        // RFC 7519 §4.1.4, without leeway unless one is set: a token that ends now is of no use.
        guard let end = claims.expiresAt else { return "an exp" }
        guard end + leeway > time.now.wall else { return "not expired" }
        guard TokenFingerprint(of: token).word != used else { return "not used before" }
        let other = otherAccount(token)
        state.withLock { $0.accountFault = other }
        guard let other else { return nil }
        pass(over: other)
        return "the account that may sign in"
    }

    /// Keeps, and tells once, why a callback was not taken.
    private func pass(over refusal: NianticError) {
        let isNew = state.withLock { state in
            state.refusal = refusal
            return state.told.count < Self.toldLimit && state.told.insert(refusal.detail).inserted
        }
        if isNew { tell(refusal) }
    }

    private static func pageError(_ words: OAuthErrorBody) -> NianticError {
        NianticError(
            .pageRefused,
            "A callback brought an error and no token: \(words.error)\(words.description.map { " (\($0))" } ?? ""); "
                + "sign in again.",
            remedy: .signInAgain,
            issuerError: words
        )
    }
}
