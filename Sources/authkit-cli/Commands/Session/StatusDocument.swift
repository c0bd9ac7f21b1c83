internal import AuthKitCore

/// What is held of one credential, as `status` and `list` write it.
struct StatusDocument: Sendable {
    private let name: String
    private let provider: String
    private let summary: CredentialSummary?
    private let isRenewing: Bool
    private let needsPerson: Bool
    private let now: Moment

    /// Makes one of a summary; nil where nothing was ever stored.
    ///
    /// `needsPerson` says whether somebody has to sign in before there can be a token.
    init(
        name: String,
        provider: String,
        summary: CredentialSummary?,
        isRenewing: Bool,
        needsPerson: Bool = true,
        now: Moment
    ) {
        self.name = name
        self.provider = provider
        self.summary = summary
        self.isRenewing = isRenewing
        self.needsPerson = needsPerson
        self.now = now
    }

    /// Whether a refresh is on its way right now; a store that cannot be asked that is still described.
    ///
    /// Nobody is asked without an open intent, since asking takes the lease for a moment.
    static func isRenewing(_ summary: CredentialSummary?, in vault: Vault?, _ invocation: Invocation) async -> Bool {
        guard let vault, let summary, summary.hasOpenIntent else { return false }
        let provider = AbsentProvider(kind: summary.id.provider)
        return (try? await ProfileSession.session(summary.id, provider, vault, invocation).isRenewing()) ?? false
    }

    /// Where it stands, in the word that scripts rely on.
    var state: String {
        switch summary?.state {
        case .signedIn: summary?.hasOpenIntent == true && isRenewing ? "refreshing" : "signed_in"
        case .signedOut: "signed_out"
        case .needsSignIn, nil: "needs_sign_in"
        }
    }

    /// Who is signed in, for people.
    var account: String? { summary?.account.map { $0.displayName ?? $0.subject } }

    /// The access token that sign-in brought.
    private var access: CredentialSummary.Token? { summary?.tokens.first { $0.kind == "access" } }

    /// When the access token ends, on this machine's clock.
    var accessExpiry: Expiry { access.map { expiry(of: $0) } ?? .unknown }

    /// When a token ends, on this machine's clock: as a session judges it.
    private func expiry(of token: CredentialSummary.Token) -> Expiry {
        summary?.clockOffset.map { token.expiry.corrected(by: $0) } ?? token.expiry
    }

    /// When the token is refreshed next; now, when that has passed.
    ///
    /// Whoever keeps it fresh does it when it is due, as was planned with its last save; `token` does it when it is asked
    /// from a minute before the end on. The earlier one counts.
    var nextRefresh: WallTime? {
        guard let summary, summary.state == .signedIn else { return nil }
        var times = [summary.due]
        if summary.tokens.contains(where: { $0.kind == "refresh" }) {
            times.append(accessExpiry.wallTime(at: now).map { $0 - TokenCommand.usualLifetime })
        }
        return times.compactMap(\.self).min().map { max($0, now.wall) }
    }

    /// Whether the next refresh is the one that was planned, not the next call's.
    private var isPlanned: Bool { summary?.due.map { max($0, now.wall) } == nextRefresh }

    /// The JSON object of `status`; `list` leaves the tokens out and has the access token's end.
    func document(withTokens: Bool) -> JSONObject {
        var object: JSONObject = [
            "profile": .string(name), "provider": .string(provider), "state": .string(state),
        ]
        object["subject"] = summary?.account.map { .string($0.subject) }
        object["account"] = summary?.account?.displayName.map { .string($0) }
        object["scope"] = summary?.scope.map { .string($0.description) }
        if withTokens {
            object["tokens"] = .array((summary?.tokens ?? []).map { .object(document(of: $0)) })
        } else {
            let times = ExpiryText(accessExpiry, now: now)
            object["expires_at"] = times.at
            object["expires_in"] = times.left
        }
        object["next_refresh_at"] = nextRefresh.map { .string($0.description) } ?? .null
        object["last_error"] = summary?.problem.map { .object(Self.problem($0)) } ?? .null
        object["clock_offset"] = summary?.clockOffset.map { .integer($0.components.seconds) } ?? .null
        return object
    }

    /// Lines for people.
    var text: String {
        var lines = ["profile:  \(name) (\(provider))", "state:    \(stateInWords)"]
        if let account { lines.append("account:  \(account)") }
        if let scope = summary?.scope, !scope.isEmpty { lines.append("scope:    \(scope)") }
        for token in summary?.tokens ?? [] {
            let halves = Self.halves(of: token.kind)
            let whatFor = halves.target.map { " for \($0)" } ?? ""
            lines.append("\(halves.kind) token\(whatFor): \(ExpiryText(expiry(of: token), now: now).words)")
        }
        if let nextRefresh {
            let plan = isPlanned ? "due for a refresh at" : "refreshed when asked for after"
            lines.append("next:     \(plan) \(nextRefresh)")
        }
        if let offset = summary?.clockOffset, offset.components.seconds != 0 {
            let direction = offset > .zero ? "behind" : "ahead of"
            let seconds = abs(offset.components.seconds)
            lines.append("clock:    \(seconds) s \(direction) the issuer's; check this machine's time")
        }
        if let problem = summary?.problem { lines.append("last error, \(problem.at): \(problem.message)") }
        return lines.map { SafeText.tamed($0) + "\n" }.joined()
    }

    private var stateInWords: String {
        let login = "run: authkit login \(PrivatePlace.shellQuoted(name))"
        return switch state {
        case "signed_in" where summary?.hasOpenIntent == true:
            "signed in; a refresh was cut short; the next one finds out"
        case "signed_in": "signed in"
        case "refreshing": "signed in; a refresh is under way"
        case "signed_out": "signed out; \(login)"
        case _ where summary == nil && !needsPerson:
            "nothing is held yet; run: authkit token \(PrivatePlace.shellQuoted(name))"
        default: summary == nil ? "nobody has signed in yet; \(login)" : "needs a new sign-in; \(login)"
        }
    }

    /// What a token is, and the audience, resource or scope that another access token than the login's is for.
    private static func halves(of kind: String) -> (kind: String, target: String?) {
        let halves = kind.split(separator: " ", maxSplits: 1).map(String.init)
        return (halves.first ?? "", halves.count > 1 ? halves[1] : nil)
    }

    private func document(of token: CredentialSummary.Token) -> JSONObject {
        let times = ExpiryText(expiry(of: token), now: now)
        let halves = Self.halves(of: token.kind)
        var object: JSONObject = ["kind": .string(halves.kind)]
        object["for"] = halves.target.map { .string($0) }
        object["expires_at"] = times.at
        object["expires_in"] = times.left
        return object
    }

    private static func problem(_ problem: Problem) -> JSONObject {
        ["code": .string(problem.code), "message": .string(problem.message), "at": .string(problem.at.description)]
    }
}
