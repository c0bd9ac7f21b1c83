@testable import AuthKitCore
import AuthKitTesting
import Testing

/// Sessions that refresh, sign out and sign in while the data key is changed again and again.
@Suite(.timeLimit(.minutes(2))) struct RekeyDataRaceTests {
    /// Raised once, seen by all.
    private final class Flag: Sendable {
        private let state = Guarded(false)

        var isRaised: Bool { state.withLock { $0 } }

        func raise() { state.withLock { $0 = true } }
    }

    @Test func `no refresh is lost or repeated while records move`() async throws {
        let rig = SessionRig()
        _ = try await rig.session().signIn(through: NoAgent())
        let store = rig.store
        try await withThrowingTaskGroup(of: Void.self) { group in
            let done = Flag()
            group.addTask {
                let vault = try await rig.vault()
                var changes = 0
                while changes < 40 || rig.issuer.renewals < 20 {
                    _ = try await vault.rekeyData()
                    changes += 1
                }
                done.raise()
            }
            for _ in 0..<4 {
                group.addTask {
                    let session = try await rig.session()
                    repeat {
                        let issued = try await session.token(for: TokenRequest(reason: .forced))
                        #expect(issued.renewalFailure == nil)
                    } while !done.isRaised
                }
            }
            group.addTask {
                let vault = try await rig.vault()
                repeat {
                    #expect(try await vault.load(rig.id)?.credential.state == .signedIn)
                    #expect(try await vault.listing().summaries.map(\.state) == [.signedIn])
                    await Task.yield()
                } while !done.isRaised
            }
            try await group.waitForAll()
        }
        #expect(rig.issuer.reuses == 0)
        #expect(rig.issuer.renewals >= 20)
        #expect(try await rig.stored()?.refreshToken?.value.reveal() == "refresh-\(rig.issuer.renewals + 1)")
        #expect(try await VaultFixture.records(store).count == 1)
    }

    @Test func `a sign-out wins while records move, and stays`() async throws {
        for _ in 0..<20 {
            let rig = SessionRig()
            _ = try await rig.session().signIn(through: NoAgent())
            let sessions = [try await rig.session(), try await rig.session()]
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { for _ in 0..<4 { _ = try await rig.vault().rekeyData() } }
                group.addTask {
                    for _ in 0..<20 { _ = try? await sessions[0].token(for: TokenRequest(reason: .forced)) }
                }
                group.addTask {
                    await Task.yield()
                    _ = try await sessions[1].signOut()
                }
                try await group.waitForAll()
            }
            #expect(try await rig.stored()?.state == .signedOut)
            #expect(await sessionCode { try await sessions[0].token(for: TokenRequest(reason: .forced)) } == .signedOut)
            let records = try await VaultFixture.records(rig.store)
            #expect(records.count == 1)
        }
    }

    @Test func `credentials that are made while records move are all found, by everyone`() async throws {
        let store = InMemoryStore()
        let vaults = [try await VaultFixture.open(store), try await VaultFixture.open(store)]
        for number in 0..<50 { try await vaults[0].save(try VaultFixture.credential("old-\(number)"), replacing: nil) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for _ in 0..<6 { _ = try await vaults[0].rekeyData() } }
            group.addTask {
                for number in 0..<100 {
                    try await vaults[1].save(try VaultFixture.credential("new-\(number)"), replacing: nil)
                    let count = try await vaults[1].listing().summaries.count
                    #expect(count == 51 + number)
                }
            }
            try await group.waitForAll()
        }
        for vault in vaults + [try await VaultFixture.open(store)] {
            #expect(try await vault.listing().summaries.count == 150)
            for number in 0..<100 { #expect(try await vault.load(VaultFixture.id("new-\(number)")) != nil) }
        }
    }
}
