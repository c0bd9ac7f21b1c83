import AuthKitCore
import AuthKitTesting
import Testing

/// The due time that each save of a session gives its record.
@Suite struct DueTimeTests {
    private let store = FencedStore()
    private let rig: SessionRig

    init() {
        rig = SessionRig(store: store)
    }

    private func isOnTime(_ due: WallTime?) -> Bool {
        guard let due else { return false }
        // A minute's lead, spread by a tenth of it, and whole seconds.
        return (.seconds(3533)...Duration.seconds(3540)).contains(due - rig.time.now.wall)
    }

    @Test func `a sign-in and a renewal make the next renewal due ahead of the token's end`() async throws {
        _ = try await rig.session().signIn(through: NoAgent())
        #expect(isOnTime(store.dues.last ?? nil))
        rig.time.advance(by: .seconds(3600))
        let ended = rig.time.now.wall
        _ = try await rig.session().token()
        #expect(store.dues.count == 3)
        // The intent: whoever finds it waits for the renewal to end.
        #expect(store.dues[1] == ended + .seconds(5))
        #expect(isOnTime(store.dues[2]))
    }

    @Test func `a sign-out and a refusal leave nothing due`() async throws {
        try await rig.signInAndExpire()
        let session = try await rig.session(rig.provider([.refused]))
        #expect(await sessionCode { try await session.token() } == .refreshRefused)
        #expect(store.dues.last == .some(nil))
        _ = try await rig.session().signIn(through: NoAgent())
        #expect(isOnTime(store.dues.last ?? nil))
        _ = try await rig.session().signOut()
        #expect(store.dues.last == .some(nil))
    }

    @Test func `a failure that may pass is due again after a pause`() async throws {
        try await rig.signInAndExpire()
        let session = try await rig.session(rig.provider([.unclear]))
        await #expect(throws: MemoryFailure.self) { try await session.token() }
        let due = try #require(store.dues.last ?? nil)
        #expect((.seconds(3)...Duration.seconds(5)).contains(due - rig.time.now.wall))
    }

    @Test func `with nothing to renew with nothing stays due, and that is written once`() async throws {
        _ = try await rig.session().signIn(through: NoAgent())
        let vault = try await rig.vault()
        let entry = try #require(await vault.load(rig.id))
        var credential = entry.credential
        credential.refreshToken = nil
        try await vault.save(credential, replacing: entry.version, due: rig.time.now.wall)
        rig.time.advance(by: .seconds(3590))
        let saves = store.dues.count
        for _ in 0..<3 { _ = try await rig.session().token() }
        #expect(store.dues.count == saves + 1)
        #expect(store.dues.last == .some(nil))
        #expect(try await rig.stored()?.problem?.code == "no_refresh_token")
    }
}
