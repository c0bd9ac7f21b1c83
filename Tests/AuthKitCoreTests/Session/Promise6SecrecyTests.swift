import AuthKitCore
import AuthKitTesting
import Testing

@Suite("Promise 6: no secret leaves in clear")
struct Promise6SecrecyTests {
    private static let secrets = ["refresh-1", "refresh-2", "access-of-alice", "access-2"]

    /// All the ways in which a value becomes text by accident.
    private func shown(_ value: some Any) -> String {
        var text = "\(value) \(String(reflecting: value)) "
        dump(value, to: &text)
        return text
    }

    private func leaks(_ text: String) -> [String] {
        Self.secrets.filter { text.contains($0) }
    }

    @Test func `no value that holds a token shows it`() async throws {
        let rig = SessionRig()
        let session = try await rig.session()
        let report = try await session.signIn(through: NoAgent())
        rig.time.advance(by: .seconds(1))
        let issued = try await session.token(for: TokenRequest(reason: .forced))
        let entry = try #require(await rig.vault().load(rig.id))
        let status = try #require(await session.status())
        #expect(issued.token.value.reveal() == "access-2")
        for text in [
            shown(report), shown(issued), shown(entry), shown(status), shown(session),
            shown(TokenSet(access: issued.token)),
            shown(SignInResult(credential: entry.credential, receiver: nil)), shown(Renewal.renewed(entry.credential)),
        ] {
            #expect(leaks(text).isEmpty)
        }
    }

    @Test func `no error and no trace of a failing renewal shows a token`() async throws {
        let tracer = RecordingTracer()
        try await Trace.$tracer.withValue(tracer) {
            for fate in [MemoryProvider.Fate.refused, .answerLost, .notSent, .unclear, .busy] {
                let rig = SessionRig()
                try await rig.signInAndExpire()
                let session = try await rig.session(rig.provider([fate]))
                let error = await #expect(throws: (any Error).self) { try await session.token() }
                #expect(leaks(shown(error as Any)).isEmpty)
                #expect(leaks(shown(try await session.status() as Any)).isEmpty)
            }
        }
        #expect(leaks(tracer.lines.joined()).isEmpty)
    }

    @Test func `no byte of a token reaches the store in clear`() async throws {
        let store = InMemoryStore()
        let rig = SessionRig(store: store)
        try await rig.signInAndExpire()
        _ = try await rig.session().token()
        for summary in try await store.list(after: nil, limit: 10) {
            let record = try #require(await store.load(summary.key))
            #expect(leaks(String(decoding: record.metadata + record.payload, as: UTF8.self)).isEmpty)
        }
        let header = try #require(await store.load(.header))
        #expect(!String(decoding: header.metadata, as: UTF8.self).contains(SessionRig.key))
    }
}
