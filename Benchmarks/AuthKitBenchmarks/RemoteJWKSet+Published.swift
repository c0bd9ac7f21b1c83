import AuthKitCore
import AuthKitTesting

extension RemoteJWKSet {
    /// A set whose keys are fetched already, from a server that is none.
    static func published(_ keys: JWKSet) async throws -> RemoteJWKSet {
        let time = SystemTime()
        let body = String(decoding: keys.json.serialized(), as: UTF8.self)
        guard let url = WebURL("https://issuer.example.com/keys") else { throw BenchmarkError("The URL is none.") }
        let transport = StubTransport { request in .stub(request, body: body, at: time.now) }
        let remote = try RemoteJWKSet(url, transport: transport, time: time, timeToLive: .seconds(86_400))
        _ = try await remote.keys()
        return remote
    }
}
