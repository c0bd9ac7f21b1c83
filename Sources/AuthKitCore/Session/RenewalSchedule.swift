/// Decides when a stored state is due: what a worker goes by that finds it in the store.
struct RenewalSchedule: Sendable {
    /// The first pause after a failure that may pass.
    static let firstPause = Duration.seconds(5)
    /// The longest pause between two tries.
    static let longestPause = Duration.seconds(900)

    let traits: ProviderTraits

    /// When a state that is at rest is due; nil when no worker is to renew it.
    ///
    /// None is where renewal calls back into the app: a worker does not have it.
    func due(_ credential: StoredCredential, at now: Moment) -> WallTime? {
        guard !traits.needsCallback else { return nil }
        let wait = credential.wait(untilRenewalBy: traits.refresh, at: now, spread: .random(in: 0...1))
        return wait.map { now.wall + $0 }
    }

    /// When a renewal that is under way is to be taken up by somebody else, should its process die.
    ///
    /// Soon, whatever the token still lives: issuers that take a token again whose answer was lost do so for seconds.
    /// Who comes for it while it goes on finds the lease held.
    func dueWhileRenewing(_ credential: StoredCredential, at now: Moment) -> WallTime? {
        guard let due = due(credential, at: now) else { return nil }
        let soon = now.wall + Self.firstPause
        return credential.intents.isEmpty ? max(due, soon) : soon
    }

    /// When to try again after a failure: what the issuer asked for, else twice as long as since the failure before.
    ///
    /// Nil when trying again by oneself cannot help.
    func due(
        _ credential: StoredCredential,
        after failure: any ProviderFailure,
        previous: Problem?,
        at now: Moment
    ) -> WallTime? {
        guard let due = due(credential, at: now) else { return nil }
        let pause: Duration
        switch failure.remedy {
        case .signInAgain: return nil
        case .fixConfiguration: pause = Self.longestPause
        case .retry(let asked?): pause = max(asked, traits.refresh.floor)
        case .retry(nil):
            let since = previous.map { max(.zero, now.wall - $0.at) } ?? .zero
            pause = min(max(since * 2, Self.firstPause), Self.longestPause) * Double.random(in: 0.75...1)
        }
        // With a token in doubt it is tried again though what is held still lives.
        return credential.intents.isEmpty ? max(due, now.wall + pause) : now.wall + pause
    }

    /// When a provider that had nothing newer is asked again.
    func dueAfterDecline(_ credential: StoredCredential, at now: Moment) -> WallTime? {
        due(credential, at: now).map { max($0, now.wall + Self.longestPause) }
    }
}
