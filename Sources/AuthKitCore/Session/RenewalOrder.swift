/// What one caller wants of a renewal, and what it knew when it asked.
struct RenewalOrder: Sendable {
    /// The request.
    let request: TokenRequest
    /// How long the token must live.
    let validFor: Duration
    /// When the caller asked.
    let placedAt: Moment
    /// The token that the caller knew of.
    let known: TokenFingerprint?

    /// The token that was held at an earlier look of this renewal, nil when there was none.
    struct Baseline: Sendable {
        let token: TokenFingerprint?
    }

    /// Whether a held token will do.
    enum Judgement: Sendable {
        /// It will not.
        case insufficient
        /// It lives long enough.
        case lastsLongEnough
        /// It came after the caller's last look, so that somebody has renewed already.
        case cameSince
    }

    /// Judges whether a held token will do without a renewal.
    ///
    /// A token that came since (another than the baseline, or received after the caller asked) will do for a forced
    /// renewal as well, so that several at once share one; and for any, even when it is short-lived, since a newer one
    /// would live no longer. The baseline is nil where there was no look before this one.
    func judge(_ credential: StoredCredential, baseline: Baseline?, at now: Moment) -> Judgement {
        guard let token = credential.accessTokens[request.key] else { return .insufficient }
        let fingerprint = token.fingerprint
        let isAlive = credential.isAlive(token, at: now)
        if case .rejected(let rejected) = request.reason {
            return isAlive && fingerprint != rejected ? .cameSince : .insufficient
        }
        if isAlive, let baseline, fingerprint != baseline.token { return .cameSince }
        if isAlive, let renewedAt = credential.renewedAt, renewedAt.since(placedAt) > .zero, fingerprint != known {
            return .cameSince
        }
        guard case .expiring = request.reason, credential.lasts(token, for: validFor, at: now) else {
            return .insufficient
        }
        return known == nil || fingerprint == known ? .lastsLongEnough : .cameSince
    }

    /// Whether what a joined flight brought is what this caller asked for; the token's end is on this machine's clock.
    func accepts(_ token: HeldToken, in landing: RenewalLanding, at now: Moment) -> Bool {
        if case .rejected(let rejected) = request.reason, token.fingerprint == rejected { return landing.refreshed }
        if landing.failure != nil { return token.expiry.lasts(for: .nanoseconds(1), at: now) }
        if landing.refreshed || landing.declined { return true }
        // The flight was another's, who asked for less.
        guard case .expiring = request.reason else { return false }
        return token.expiry.lasts(for: validFor, at: now)
    }
}
