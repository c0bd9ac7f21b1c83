import AuthKitCore
import AuthKitTesting

/// A scheduler on a clock that tests move.
struct RefreshRig: Sendable {
    let time = ManualTime()
    let scheduler: RefreshScheduler
    let vault: Vault

    init(limits: RefreshLimits = RefreshLimits(), renewalLimit: Duration = .seconds(300)) async throws {
        scheduler = RefreshScheduler(
            limits: limits,
            renewalLimit: renewalLimit,
            time: time,
            generator: SeededGenerator(11)
        )
        vault = try await Vault.open(
            InMemoryStore(),
            keySource: EnvironmentKey(name: "k") { _ in SessionRig.key }
        )
    }

    /// Lets time pass, from one thing that the scheduler waits for to the next.
    func pass(_ duration: Duration) async {
        var left = duration
        while left > .zero {
            await settle()
            let next = min(time.remainingSleeps.first ?? left, left)
            time.advance(by: next)
            left -= next
        }
        await settle()
    }

    /// Waits until the scheduler has done what it can do now: it sleeps, and nothing is under way.
    func settle(exceptFor renewing: Int = 0) async {
        for _ in 0..<1_000_000 {
            let status = await scheduler.status
            let isAsleep = status.wakesIn.map { $0 > .zero && !time.remainingSleeps.isEmpty } ?? true
            if status.renewing == renewing, isAsleep { return }
            await Task.yield()
        }
    }
}
