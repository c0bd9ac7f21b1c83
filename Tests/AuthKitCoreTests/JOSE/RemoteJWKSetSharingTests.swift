import AuthKitCore
import AuthKitTesting
import Testing

@Suite struct RemoteJWKSetSharingTests {
    /// Holds answers back until it is opened.
    private final class Gate: Sendable {
        private struct State {
            var isOpen = false
            var waiting: [CheckedContinuation<Void, Never>] = []
        }

        private let state = Guarded(State())

        func pass() async {
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    if !state.isOpen { state.waiting.append(continuation) }
                    return state.isOpen
                }
                if isOpen { continuation.resume() }
            }
        }

        func open() {
            let waiting = state.withLock { state in
                state.isOpen = true
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }
    }

    private let time = ManualTime(wall: TestKeys.now)
    private let gate = Gate()
    private let transport: StubTransport
    private let remote: RemoteJWKSet

    init() throws {
        let (gate, time) = (gate, time)
        let body = String(decoding: try TestKeys.set([("one", TestKeys.es256)]).json.serialized(), as: UTF8.self)
        transport = StubTransport { request in
            await gate.pass()
            return .stub(request, body: body, at: time.now)
        }
        remote = try RemoteJWKSet(try #require(WebURL("https://issuer.example/keys")), transport: transport, time: time)
    }

    @Test(.timeLimit(.minutes(1)))
    func `many callers share one request`() async throws {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 { group.addTask { try await self.remote.keys().keys.count } }
            await transport.waitForRequests(1)
            gate.open()
            for try await count in group { #expect(count == 1) }
        }
        #expect(transport.requests.count == 1)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a cancelled caller leaves at once and fails nobody else`() async throws {
        let first = Task { try await remote.keys() }
        await transport.waitForRequests(1)
        let second = Task { try await remote.keys() }
        first.cancel()
        // The answer is still held back: only the cancelled caller can have ended.
        await #expect(throws: CancellationError.self) { try await first.value }
        gate.open()
        #expect(try await second.value.keys.count == 1)
        #expect(transport.requests.count == 1)
    }
}
