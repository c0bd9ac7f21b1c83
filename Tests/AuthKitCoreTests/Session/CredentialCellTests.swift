import Testing

@testable import AuthKitCore

/// What sessions of one process share.
@Suite struct CredentialCellTests {
    private let cell = CredentialCell()

    private func entry(_ revision: Int64) throws -> VaultEntry {
        let id = CredentialID(provider: .oidc, issuer: "i", client: "c", slot: "s")
        let credential = StoredCredential(id: id, incarnation: try .draw(), state: .signedIn)
        let version = RecordVersion(incarnation: credential.incarnation, revision: revision)
        return VaultEntry(credential: credential, version: version)
    }

    @Test func `an older revision never takes the place of a newer one`() throws {
        let newer = try entry(5)
        cell.publish(newer)
        cell.publish(try entry(4))
        #expect(cell.snapshot?.entry == newer)
        let newest = try entry(6)
        cell.publish(newest)
        #expect(cell.snapshot?.entry == newest)
    }

    @Test func `what is not stored never takes the place of the same revision that is`() throws {
        let stored = try entry(5)
        cell.publish(try entry(5), isUnsaved: true)
        cell.publish(stored)
        cell.publish(try entry(5), isUnsaved: true)
        #expect(cell.snapshot?.entry == stored)
        #expect(cell.snapshot?.isUnsaved == false)
    }

    @Test func `nobody joins a flight that began before a sign-in`() throws {
        let before = cell.flight(for: .primary) { Flight() }
        cell.publish(try entry(5))
        #expect(cell.flight(for: .primary) { Flight() } === before)
        cell.publish(try entry(6), beginsLife: true)
        let after = cell.flight(for: .primary) { Flight() }
        #expect(after !== before)
        cell.land(before, for: .primary)
        #expect(cell.flight(for: .primary) { Flight() } === after)
    }

    @Test func `a flight that has landed ends no later one`() {
        let first = cell.flight(for: .primary) { Flight() }
        cell.land(first, for: .primary)
        let second = cell.flight(for: .primary) { Flight() }
        cell.land(first, for: .primary)
        #expect(cell.flight(for: .primary) { Flight() } === second)
    }

    @Test func `a renewal that never asked the provider is told in the life it began in, and in no other`()
        async throws
    {
        let feed = SessionFeed()
        cell.add(feed)
        cell.publish(try entry(5), beginsLife: true)
        let lives = cell.lives
        var events = feed.subscribe().makeAsyncIterator()
        let failure = SessionError(.busy, "Another process is renewing; try again.")
        cell.renewalMissed(failure: failure, since: lives)
        guard case .renewalFailed("busy", _, _)? = await events.next() else {
            Issue.record("The failure is not told.")
            return
        }
        // Somebody signs in while an older renewal is still on its way: its failure is nothing to the new life.
        let next = try entry(6)
        cell.publish(next, beginsLife: true)
        cell.renewalMissed(failure: failure, since: lives)
        // Nor is anything told beside a flight that asks the provider: that has its own end to tell.
        cell.renewalBegins(of: next.credential.incarnation)
        cell.renewalMissed(failure: failure, since: cell.lives)
        cell.renewalEnds(failure: nil)
        feed.end()
        var told: [String] = []
        while let event = await events.next() { told.append("\(event)".prefix { $0 != "(" }.description) }
        #expect(told == ["signedIn", "refreshing"])
    }

    private struct Landed: Error {}

    @Test func `a caller that is cancelled already does not wait for the flight`() async {
        let flight = Flight<Int>()
        let caller = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await flight.wait()
        }
        caller.cancel()
        let landing = Task {
            for _ in 0..<1000 { await Task.yield() }
            flight.land(.failure(Landed()))
        }
        await #expect(throws: CancellationError.self) { try await caller.value }
        await landing.value
    }
}
