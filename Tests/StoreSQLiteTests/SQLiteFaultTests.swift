import AuthKitCore
import AuthKitTesting
import CFailingVFS
import CSQLite
import Foundation
import StoreSQLite
import StoreTestSupport
import Testing

/// File operations of SQLite that fail in the middle of a save, one after the other; serialized, for there is one
/// arming.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SQLiteFaultTests {
    /// An operation that fails.
    struct Fault: Sendable, CustomTestStringConvertible {
        let kinds: Int
        let code: Int32
        let testDescription: String
    }

    static let faults = [
        Fault(kinds: CFV_WRITE, code: SQLITE_IOERR | 3 << 8, testDescription: "write, I/O error"),
        Fault(kinds: CFV_WRITE, code: SQLITE_FULL, testDescription: "write, full"),
        Fault(kinds: CFV_SYNC, code: SQLITE_IOERR | 4 << 8, testDescription: "sync, I/O error"),
        Fault(kinds: CFV_TRUNCATE, code: SQLITE_IOERR | 6 << 8, testDescription: "truncate, I/O error"),
        Fault(kinds: CFV_OPEN, code: SQLITE_CANTOPEN, testDescription: "open"),
        Fault(kinds: CFV_READ, code: SQLITE_IOERR | 1 << 8, testDescription: "read, I/O error"),
        Fault(kinds: CFV_SHM, code: SQLITE_IOERR | 21 << 8, testDescription: "shared memory, I/O error"),
    ]

    init() throws {
        try #require(cfv_install() == SQLITE_OK)
    }

    @Test(arguments: faults)
    func `whichever operation of a refresh fails, the old state or the new one is there`(_ fault: Fault) async throws {
        for nth in 1...100 as ClosedRange<Int32> {
            let seen = try await withPlace { place in
                try await refreshWithFault(fault, nth, in: "\(place)/store.db")
            }
            if seen < nth { return }
        }
        Issue.record("a refresh does more than 100 of these operations")
    }

    /// Opens the store, reads, saves an intent and an answer while the nth operation fails; how many there were.
    private func refreshWithFault(_ fault: Fault, _ nth: Int32, in path: String) async throws -> Int32 {
        let old = try Sample.record(revision: 1, payload: Sample.bytes(5000))
        let intent = try Sample.record(revision: 2, payload: Sample.bytes(5200), reserve: 70_000)
        let answer = try Sample.record(revision: 3, payload: Sample.bytes(60_000))
        let first = try await SQLiteStore.open(path: path)
        try await first.save(old, replacing: nil, under: nil)
        await first.close()

        unsafe cfv_arm(path, Int32(fault.kinds), nth, fault.code, 0)
        var certain = old
        var survivor: SQLiteStore?
        do {
            let store = try await SQLiteStore.open(path: path)
            survivor = store
            _ = try await store.load(old.key)
            for next in [intent, answer] {
                try await store.save(next, replacing: certain.version, under: nil)
                certain = next
            }
        } catch let error as StoreError {
            #expect([.inputOutput, .full, .cannotCreate, .busy].contains(error.code), "\(error.code): \(error)")
        }
        let seen = cfv_disarm()

        // What another process finds, then what this store goes on with.
        let other = try await SQLiteStore.open(path: path)
        let found = try #require(try await other.load(old.key))
        #expect(found.version.revision >= certain.version.revision, "operation \(nth): a save that returned was lost")
        let payloads = [old, intent, answer].map(\.payload)
        #expect(found.payload == payloads[Int(found.version.revision) - 1], "operation \(nth): the record is not whole")
        let last = try Sample.record(revision: 4, payload: Sample.bytes(100))
        try await (survivor ?? other).save(last, replacing: found.version, under: nil)
        #expect(try await other.load(old.key) == last)
        #expect(try RawDatabase(path: path).text("PRAGMA integrity_check") == "ok")
        return seen
    }

    @Test(arguments: faults.filter { $0.kinds == CFV_WRITE || $0.kinds == CFV_SYNC })
    func `a session serves what the disk refuses, says so, and stores it when the disk is mended`(
        _ fault: Fault
    ) async throws {
        try await withPlace { place in
            let path = "\(place)/store.db"
            let store = try await SQLiteStore.open(path: path)
            let issuer = RotatingIssuer(afterAnswer: { unsafe cfv_arm(path, Int32(fault.kinds), 1, fault.code, 1) })
            defer { _ = cfv_disarm() }
            let rig = try await RefreshRig(store, issuer: issuer)
            let session = try await rig.session()
            let call = Task { try await session.token() }
            let issued = try await rig.run { try await call.value }
            #expect(issued.isUnsaved)
            #expect(issued.token.value.reveal() == "access-2")
            #expect(try await session.token().isUnsaved)
            #expect(cfv_disarm() > 3)
            try await rig.run {
                while try await rig.storedToken() != "refresh-2" { try await Task.sleep(for: .milliseconds(1)) }
            }
            let other = try await SQLiteStore.open(path: path)
            let next = try await rig.session(on: other).token()
            #expect(next.token.value.reveal() == "access-2")
            #expect(!next.isUnsaved)
            #expect(issuer.reuses == 0)
        }
    }

    @Test func `a command gives up after ten seconds and gives no token out`() async throws {
        try await withPlace { place in
            let path = "\(place)/store.db"
            let store = try await SQLiteStore.open(path: path)
            let issuer = RotatingIssuer(afterAnswer: { unsafe cfv_arm(path, Int32(CFV_WRITE), 1, SQLITE_FULL, 1) })
            defer { _ = cfv_disarm() }
            let rig = try await RefreshRig(store, issuer: issuer)
            let start = rig.time.now
            let session = try await rig.session(.fail)
            let call = Task { try await session.token() }
            let outcome = await rig.run { await call.result }
            #expect(throws: SessionError.self) { try outcome.get() }
            if case .failure(let error as SessionError) = outcome { #expect(error.reason == .saveFailed) }
            let waited = rig.time.now.since(start)
            #expect(waited >= .seconds(10) && waited <= .seconds(11))
        }
    }
}
