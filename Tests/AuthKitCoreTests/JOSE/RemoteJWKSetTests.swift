import AuthKitCore
import AuthKitTesting
import Testing

@Suite struct RemoteJWKSetTests {
    private let time = ManualTime(wall: TestKeys.now)
    private let served: Served
    private let transport: StubTransport
    private let remote: RemoteJWKSet
    private let verifier = JWTVerifier(policy: TestKeys.policy())

    /// What the issuer answers now.
    private final class Served: Sendable {
        let body = Guarded("")
        let status = Guarded(200)

        func publish(_ keys: [(String?, SigningKey)]) throws {
            let text = String(decoding: try TestKeys.set(keys).json.serialized(), as: UTF8.self)
            body.withLock { $0 = text }
            status.withLock { $0 = 200 }
        }
    }

    init() throws {
        let (served, time) = (Served(), time)
        self.served = served
        try served.publish([("one", TestKeys.es256)])
        transport = StubTransport { request in
            .stub(
                request,
                status: served.status.withLock { $0 },
                body: served.body.withLock { $0 },
                at: time.now
            )
        }
        let url = try #require(WebURL("https://issuer.example/keys"))
        remote = try RemoteJWKSet(url, transport: transport, time: time)
    }

    private func refusal(_ token: String) async -> JWTError.Code? {
        do {
            _ = try await verifier.verify(token, with: remote, at: TestKeys.now)
            return nil
        } catch {
            return (error as? JWTError)?.code
        }
    }

    @Test func `keys are fetched once and kept for their time`() async throws {
        let token = try TestKeys.token()
        for _ in 0..<5 { #expect(await refusal(token) == nil) }
        time.advance(by: .seconds(599))
        #expect(await refusal(token) == nil)
        #expect(transport.requests.count == 1)
        time.advance(by: .seconds(1))
        #expect(await refusal(token) == nil)
        #expect(transport.requests.count == 2)
    }

    @Test func `the request is bounded and carries nothing secret`() async throws {
        _ = try await remote.keys()
        let request = try #require(transport.requests.first)
        #expect(request.method == "GET")
        #expect(!request.carriesCredential)
        #expect(request.bodyLimit <= 1 << 20)
        #expect(request.deadline <= .seconds(30))
    }

    @Test(arguments: ["http://issuer.example/keys", "http://10.0.0.1/keys"])
    func `plain http is for loopback only`(_ text: String) throws {
        let url = try #require(WebURL(text))
        let error = #expect(throws: KeySetError.self) { try RemoteJWKSet(url, transport: transport, time: time) }
        #expect(error?.reason == .insecureURL)
        let loopback = try #require(WebURL("http://127.0.0.1:8080/keys"))
        #expect(throws: Never.self) { try RemoteJWKSet(loopback, transport: transport, time: time) }
    }

    @Test func `a rule that refuses for another key than the signature's causes no request`() async throws {
        var policy = TestKeys.policy()
        policy.rules = [.boundKey(thumbprint: "abc")]
        let token = try TestKeys.token { $0["cnf"] = ["jkt": "xyz"] }
        for _ in 0..<3 {
            let error = await #expect(throws: JWTError.self) {
                try await JWTVerifier(policy: policy).verify(token, with: remote, at: TestKeys.now)
            }
            #expect(error?.code == .keyMismatch)
        }
        #expect(transport.requests.count == 1)
    }

    @Test func `a secret that is published is no key`() async throws {
        let secret = Base64URL.encode([UInt8](repeating: 7, count: 32))
        let members: JSONObject = ["kty": "oct", "kid": "one", "k": .string(secret)]
        let token = try TestKeys.token(with: try SigningKey.make(members, algorithm: .hs256))
        let shared = JWKSet([try JWK(members)])
        #expect(TestKeys.refusal(of: token, keys: shared, policy: TestKeys.policy([.hs256])) == nil)
        let set = JSONValue.object(["keys": [.object(members)]])
        served.body.withLock { $0 = String(decoding: set.serialized(), as: UTF8.self) }
        let error = await #expect(throws: JWTError.self) {
            try await JWTVerifier(policy: TestKeys.policy([.hs256])).verify(token, with: remote, at: TestKeys.now)
        }
        #expect(error?.code == .keyNotFound)
        #expect(try await remote.keys().keys.isEmpty)
    }

    @Test func `a rotation is picked up within one request`() async throws {
        #expect(await refusal(try TestKeys.token()) == nil)
        try served.publish([("two", TestKeys.edDSA)])
        #expect(await refusal(try TestKeys.token(with: TestKeys.edDSA, keyID: "two")) == nil)
        #expect(transport.requests.count == 2)
        #expect(await refusal(try TestKeys.token()) == .keyNotFound)
    }

    @Test func `a key exchanged under the same kid is picked up within one request`() async throws {
        try served.publish([("one", TestKeys.otherRS256)])
        #expect(await refusal(try TestKeys.token(with: TestKeys.otherRS256)) == nil)
        try served.publish([("one", TestKeys.rs256)])
        #expect(await refusal(try TestKeys.token(with: TestKeys.rs256)) == nil)
        #expect(transport.requests.count == 2)
    }

    @Test func `the same unknown kid or bad signature causes one request`() async throws {
        let unknown = try TestKeys.token(keyID: "two")
        for _ in 0..<10 { #expect(await refusal(unknown) == .keyNotFound) }
        #expect(transport.requests.count == 2)
        let forged = try TestKeys.token(with: try SigningKey.generate(.es256))
        for _ in 0..<10 { #expect(await refusal(forged) == .badSignature) }
        #expect(transport.requests.count == 3)
        time.advance(by: .seconds(60))
        #expect(await refusal(unknown) == .keyNotFound)
        #expect(transport.requests.count == 4)
    }

    @Test func `a flood of made-up kids causes no more requests than the bucket holds`() async throws {
        for index in 0..<500 { #expect(await refusal(try TestKeys.token(keyID: "made-up-\(index)")) == .keyNotFound) }
        #expect(transport.requests.count == 1 + 5)
        // The bucket fills up by one each half minute.
        time.advance(by: .seconds(60))
        for index in 500..<600 { #expect(await refusal(try TestKeys.token(keyID: "made-up-\(index)")) == .keyNotFound) }
        #expect(transport.requests.count == 1 + 5 + 2)
        #expect(await refusal(try TestKeys.token()) == nil)
    }

    @Test func `a token that no key can save causes no request`() async throws {
        #expect(await refusal("rubbish") == .malformed)
        #expect(await refusal(try TestKeys.token(header: #"{"alg":"none"}"#)) == .unsupportedAlgorithm)
        #expect(await refusal(try TestKeys.token(header: #"{"alg":"PS256"}"#)) == .algorithmNotAllowed)
        #expect(transport.requests.isEmpty)
        #expect(await refusal(try TestKeys.token { $0["exp"] = 5 }) == .expired)
        #expect(transport.requests.count == 1)
    }

    @Test func `the last good keys stay in use through an outage, within its bounds`() async throws {
        let token = try TestKeys.token()
        #expect(await refusal(token) == nil)
        served.status.withLock { $0 = 503 }
        time.advance(by: .seconds(3600))
        for _ in 0..<5 { #expect(await refusal(token) == nil) }
        #expect(transport.requests.count == 2)
        time.advance(by: .seconds(1))
        #expect(await refusal(token) == nil)
        #expect(transport.requests.count == 3)
        time.advance(by: .seconds(86_400))
        let error = await #expect(throws: KeySetError.self) { try await remote.keys() }
        #expect(error?.reason == .unavailable)
        #expect(error?.remedy == .retry(after: nil))
    }

    @Test(arguments: ["<html>", "{}", "[]", #"{"keys":1}"#])
    func `an answer that is no key set is refused and replaces nothing`(_ body: String) async throws {
        #expect(await refusal(try TestKeys.token()) == nil)
        served.body.withLock { $0 = body }
        time.advance(by: .seconds(600))
        #expect(await refusal(try TestKeys.token()) == nil)
        let fresh = try RemoteJWKSet(remote.url, transport: transport, time: time)
        let error = await #expect(throws: KeySetError.self) { try await fresh.keys() }
        #expect(error?.reason == .unreadable)
    }

    @Test func `a transport's failure comes through when there are no keys`() async throws {
        let silent = try RemoteJWKSet(remote.url, transport: StubTransport(), time: time)
        let error = await #expect(throws: TransportError.self) { try await silent.keys() }
        #expect(error?.reason == .cannotConnect)
    }
}
