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
