import AuthKitCore
import AuthKitTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct RefreshSignInTests {
    private func scheduler(_ rig: SessionRig) -> RefreshScheduler {
        RefreshScheduler(time: rig.time, generator: SeededGenerator(5))
    }

    private func pass(_ duration: Duration, _ scheduler: RefreshScheduler, _ time: ManualTime) async {
        var left = duration
        while left > .zero {
            for _ in 0..<1_000_000 {
                let status = await scheduler.status
                let isAsleep = status.wakesIn.map { $0 > .zero && !time.remainingSleeps.isEmpty } ?? true
                if status.renewing == 0, isAsleep { break }
                await Task.yield()
            }
            let next = min(time.remainingSleeps.first ?? left, left)
            time.advance(by: next)
            left -= next
        }
    }

    @Test func `a session that nobody has signed in to waits, and is renewed once somebody has`() async throws {
        let rig = SessionRig()
        let scheduler = scheduler(rig)
        let vault = try await rig.vault()
        let session = try await rig.session(vault: vault)
        await scheduler.add(session)
        await pass(.seconds(3000), scheduler, rig.time)
        #expect(rig.issuer.renewals == 0)
        #expect(await scheduler.status.idle == 1)
        _ = try await session.signIn(through: NoAgent())
        await pass(.seconds(4000), scheduler, rig.time)
        #expect(rig.issuer.renewals == 1)
    }

    @Test func `a sign-out ends the renewals, and the next sign-in begins them again`() async throws {
        let rig = SessionRig()
        let scheduler = scheduler(rig)
        let vault = try await rig.vault()
        let session = try await rig.session(vault: vault)
        _ = try await session.signIn(through: NoAgent())
        await scheduler.add(session)
        await pass(.seconds(3700), scheduler, rig.time)
        #expect(rig.issuer.renewals == 1)
        _ = try await session.signOut()
        await pass(.seconds(9000), scheduler, rig.time)
        #expect(rig.issuer.renewals == 1)
        #expect(await scheduler.status.idle == 1)
        _ = try await session.signIn(through: NoAgent())
        await pass(.seconds(3700), scheduler, rig.time)
        #expect(rig.issuer.renewals == 2 && rig.issuer.reuses == 0)
    }
}
