import AuthKitCore
import AuthKitTesting
import CFailingDisk
import Foundation
import StoreFile
import StoreTestSupport
import Testing

/// Calls of the C library that fail in the middle of a save, one after the other; serialized, for there is one arming.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FileStoreFaultTests {
    /// A call that fails.
    struct Fault: Sendable, CustomTestStringConvertible {
        let kinds: Int
        let number: Int32
        let testDescription: String
    }

    static let faults = [
        Fault(kinds: CFD_WRITE, number: EIO, testDescription: "write, I/O error"),
        Fault(kinds: CFD_WRITE, number: ENOSPC, testDescription: "write, full"),
        Fault(kinds: CFD_SYNC, number: EIO, testDescription: "fsync, I/O error"),
        Fault(kinds: CFD_TRUNCATE, number: EIO, testDescription: "ftruncate, I/O error"),
        Fault(kinds: CFD_RENAME, number: EIO, testDescription: "rename, I/O error"),
        Fault(kinds: CFD_RENAME, number: ENOSPC, testDescription: "rename, full"),
        Fault(kinds: CFD_ALLOCATE, number: ENOSPC, testDescription: "fallocate, full"),
    ]

    @Test(arguments: faults)
    func `whichever call of a refresh's saves fails, the old state or the new one is there`(_ fault: Fault) async throws
    {
        var wasReached = false
        for nth in 1...50 as ClosedRange<Int32> {
            let seen = try await withPlace { place in
                try await saveWithFault(fault, nth, in: place)
            }
            if seen < nth {
                #expect(wasReached, "a save makes none of these calls")
                return
            }
            wasReached = true
        }
        Issue.record("a refresh makes more than 50 of these calls")
    }

    /// Saves an intent and an answer while the nth call fails; how many such calls there were.
    private func saveWithFault(_ fault: Fault, _ nth: Int32, in place: String) async throws -> Int32 {
        let store = try await FileStore.open(path: place)
        let old = try Sample.record(revision: 1, payload: Sample.bytes(5000))
        let intent = try Sample.record(revision: 2, payload: Sample.bytes(5200), reserve: 70_000)
        let answer = try Sample.record(revision: 3, payload: Sample.bytes(60_000))
        try await store.save(old, replacing: nil, under: nil)

        unsafe cfd_arm(place, Int32(fault.kinds), nth, fault.number, 0)
        var certain = old
        for next in [intent, answer] {
            guard await code({ try await store.save(next, replacing: certain.version, under: nil) }) == nil else {
                break
            }
            certain = next
        }
        let seen = cfd_disarm()

        // What another process finds, then what this store goes on with.
        let found = try #require(try await FileStore.open(path: place).load(old.key))
        #expect(found.version.revision >= certain.version.revision, "call \(nth): a save that returned was lost")
        let payloads = [old, intent, answer].map(\.payload)
        #expect(found.payload == payloads[Int(found.version.revision) - 1], "call \(nth): the record is not whole")
        let last = try Sample.record(revision: 4, payload: Sample.bytes(100))
        try await store.save(last, replacing: found.version, under: nil)
        #expect(try await FileStore.open(path: place).load(old.key) == last)
        #expect(try names(in: place) == [String(repeating: "01", count: 32), "format", "lock"])
        return seen
    }

    @Test(arguments: [0, 5000])
    func `a save syncs the file before the rename and the directory behind it`(_ reserve: Int) async throws {
        try await withPlace { place in
            let store = try await FileStore.open(path: place)
            let record = try Sample.record(revision: 1, reserve: reserve)
            try await store.save(record, replacing: nil, under: nil)
            let next = try Sample.record(revision: 2)
            // The first sync fails: nothing was renamed. The second fails: it was, and is not taken for durable.
            unsafe cfd_arm(place, Int32(CFD_SYNC), 1, EIO, 0)
            #expect(await code { try await store.save(next, replacing: record.version, under: nil) } == .inputOutput)
            #expect(cfd_disarm() == 1)
            #expect(try await store.load(record.key)?.version == record.version)
            unsafe cfd_arm(place, Int32(CFD_SYNC), 2, EIO, 1)
            #expect(await code { try await store.save(next, replacing: record.version, under: nil) } == .inputOutput)
            #expect(await code { _ = try await store.load(record.key) } == .inputOutput)
            #expect(await code { try await store.save(record, replacing: next.version, under: nil) } == .inputOutput)
            #expect(cfd_disarm() == 4)
            #expect(try await store.load(record.key)?.version == next.version)
        }
    }

    @Test(arguments: faults.filter { $0.kinds != CFD_ALLOCATE })
    func `a session serves what the disk refuses, says so, and stores it when the disk is mended`(
        _ fault: Fault
    ) async throws {
        try await withPlace { place in
            let store = try await FileStore.open(path: place)
            let issuer = RotatingIssuer(afterAnswer: {
                unsafe cfd_arm(place, Int32(fault.kinds), 1, fault.number, 1)
            })
            defer { _ = cfd_disarm() }
            let rig = try await RefreshRig(store, issuer: issuer)
            let session = try await rig.session()
            let call = Task { try await session.token() }
            let issued = try await rig.run { try await call.value }
            #expect(issued.isUnsaved)
            #expect(issued.token.value.reveal() == "access-2")
            #expect(try await session.token().isUnsaved)
            #expect(cfd_disarm() > 3)
            try await rig.run {
                while try await rig.storedToken() != "refresh-2" { try await Task.sleep(for: .milliseconds(1)) }
            }
            let other = try await FileStore.open(path: place)
            let next = try await rig.session(on: other).token()
            #expect(next.token.value.reveal() == "access-2")
            #expect(!next.isUnsaved)
            #expect(issuer.reuses == 0)
        }
    }

    @Test func `a command gives up after ten seconds and gives no token out`() async throws {
        try await withPlace { place in
            let store = try await FileStore.open(path: place)
            let issuer = RotatingIssuer(afterAnswer: { unsafe cfd_arm(place, Int32(CFD_SYNC), 1, EIO, 1) })
            defer { _ = cfd_disarm() }
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
