import AuthKitCore
import StoreFile
import StoreTestSupport
import Testing

/// Under a limit on the size of files, in processes of their own.
@Suite struct FileSizeLimitTests {
    @Test func `a save beyond a limit on file sizes says full and changes nothing`() async {
        await #expect(processExitsWith: .success) {
            try await withPlace { place in
                let store = try await FileStore.open(path: place)
                let record = try Sample.record(revision: 1)
                try await store.save(record, replacing: nil, under: nil)
                #expect(FileSizeLimit.set(8192))
                let larger = try Sample.record(revision: 2, payload: Sample.bytes(20_000))
                #expect(await code { try await store.save(larger, replacing: record.version, under: nil) } == .full)
                let promise = try Sample.record(revision: 2, reserve: 20_000)
                #expect(await code { try await store.save(promise, replacing: record.version, under: nil) } == .full)
                #expect(try await store.load(record.key) == record)
                #expect(try names(in: place).count == 3)
                #expect(FileSizeLimit.set(nil))
                try await store.save(larger, replacing: record.version, under: nil)
                #expect(try await store.load(record.key) == larger)
            }
        }
    }

    @Test func `an answer beyond a limit on file sizes is served unsaved and stored when the limit goes`() async {
        await #expect(processExitsWith: .success) {
            try await withPlace { place in
                let store = try await FileStore.open(path: place)
                let issuer = RotatingIssuer(afterAnswer: { #expect(FileSizeLimit.set(64)) })
                let rig = try await RefreshRig(store, issuer: issuer)
                let session = try await rig.session()
                let call = Task { try await session.token() }
                let issued = try await rig.run { try await call.value }
                #expect(issued.isUnsaved)
                #expect(try await rig.storedToken() == "refresh-1")
                #expect(FileSizeLimit.set(nil))
                try await rig.run { while try await rig.storedToken() != "refresh-2" { await Task.yield() } }
                #expect(issuer.reuses == 0)
            }
        }
    }
}
