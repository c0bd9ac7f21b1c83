import AuthKitCore
import Testing

@Suite struct VerificationCacheTests {
    private let cache: VerificationCache
    private let verifier: JWTVerifier
    private let keys: JWKSet

    init() throws {
        cache = try VerificationCache()
        verifier = JWTVerifier(policy: TestKeys.policy(), cache: cache)
        keys = try TestKeys.set([("one", TestKeys.es256), ("one", TestKeys.rs256), ("two", TestKeys.edDSA)])
    }

    private func refusal(
        _ token: String,
        keys: JWKSet? = nil,
        verifier: JWTVerifier? = nil,
        at seconds: Int64 = 1_800_000_000
    ) -> JWTError.Code? {
        do {
            _ = try (verifier ?? self.verifier).verify(token, with: keys ?? self.keys, at: WallTime(seconds: seconds))
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `a token that was believed is remembered, each with its key`() throws {
        let signers = [(TestKeys.es256, "one"), (TestKeys.rs256, "one"), (TestKeys.edDSA, "two")]
        for (count, (key, id)) in signers.enumerated() {
            let token = try TestKeys.token(with: key, keyID: id)
            #expect(cache.count == count)
            for _ in 0..<3 { #expect(refusal(token) == nil) }
            #expect(cache.count == count + 1)
            let signer = try verifier.verify(token, with: keys, at: TestKeys.now).key
            #expect(signer.thumbprint == (try key.publicJWK().thumbprint))
        }
    }

    @Test func `without a cache nothing is remembered`() throws {
        let token = try TestKeys.token()
        #expect(refusal(token, verifier: JWTVerifier(policy: TestKeys.policy())) == nil)
        #expect(cache.count == 0)
    }

    @Test func `a token with a bad signature is not remembered`() throws {
        let token = try TestKeys.token(with: SigningKey.generate(.es256))
        for _ in 0..<2 { #expect(refusal(token) == .badSignature) }
        #expect(cache.count == 0)
    }

    @Test func `every changed character of a remembered token is refused`() throws {
        let token = try TestKeys.token()
        #expect(refusal(token) == nil)
        let bytes = Array(token.utf8)
        for index in bytes.indices {
            for mask in [UInt8(1), 2, 4, 8, 16, 32, 64] {
                var changed = bytes
                changed[index] ^= mask
                #expect(refusal(String(decoding: changed, as: UTF8.self)) != nil)
            }
        }
        #expect(refusal(token + "A") != nil)
        #expect(cache.count == 1)
    }

    @Test func `algorithm, type and claims are checked each time`() throws {
        let token = try TestKeys.token(type: "JWT")
        #expect(refusal(token) == nil)
        #expect(refusal(token, at: 1_800_000_400) == .expired)
        let others: [(JWTError.Code, (inout JWTPolicy) -> Void)] = [
            (.algorithmNotAllowed, { $0.algorithms = [.rs256] }), (.wrongIssuer, { $0.issuer = .exactly("other") }),
            (.wrongAudience, { $0.audience = .exactly("other") }), (.wrongType, { $0.type = .oneOf(["at+jwt"]) }),
            (.missingClaim, { $0.nonce = "n" }), (.missingClaim, { $0.rules = [.claim("scope", is: "x")] }),
        ]
        for (code, change) in others {
            var policy = TestKeys.policy()
            change(&policy)
            #expect(refusal(token, verifier: JWTVerifier(policy: policy, cache: cache)) == code)
        }
        #expect(refusal(token) == nil)
    }

    @Test func `a key that is no candidate any more counts for nothing`() throws {
        let token = try TestKeys.token()
        #expect(refusal(token) == nil)
        #expect(cache.count == 1)
        let rotated = try TestKeys.set([("one", SigningKey.generate(.es256))])
        #expect(refusal(token, keys: rotated) == .badSignature)
        #expect(cache.count == 0)
        #expect(refusal(token, keys: try TestKeys.set([("two", TestKeys.edDSA)])) == .keyNotFound)
        #expect(refusal(token) == nil)
        #expect(cache.count == 1)
    }

    @Test func `what it takes is bounded`() throws {
        let small = try VerificationCache(byteCount: 1)
        let verifier = JWTVerifier(policy: TestKeys.policy(), cache: small)
        for number in 0..<20 {
            let token = try TestKeys.token { $0["jti"] = .string("\(number)") }
            #expect(refusal(token, verifier: verifier) == nil)
            #expect(small.count == min(number + 1, 4))
        }
    }

    @Test func `it takes no more bytes than it was given`() throws {
        // The least that an entry can be: a hash of sixteen bytes and a reference of eight.
        let byteCount = 4096
        let cache = try VerificationCache(byteCount: byteCount)
        let verifier = JWTVerifier(policy: TestKeys.policy(), cache: cache)
        for number in 0..<400 {
            let token = try TestKeys.token { $0["jti"] = .string("\(number)") }
            #expect(refusal(token, verifier: verifier) == nil)
        }
        #expect(cache.count <= byteCount / 24)
        #expect(cache.count >= byteCount / 64)
    }

    @Test func `after a rotation no remembered token counts`() throws {
        let tokens = try (0..<5).map { number in try TestKeys.token { $0["jti"] = .string("\(number)") } }
        for token in tokens { #expect(refusal(token) == nil) }
        #expect(cache.count == 5)
        let rotated = try TestKeys.set([("one", SigningKey.generate(.es256))])
        for (index, token) in tokens.enumerated() {
            #expect(refusal(token, keys: rotated) == .badSignature)
            #expect(cache.count == 4 - index)
        }
    }

    @Test func `many threads share one cache`() async throws {
        let tokens = try (0..<8).map { number in try TestKeys.token { $0["jti"] = .string("\(number)") } }
        await withTaskGroup(of: Bool.self) { group in
            for token in tokens + tokens + tokens + tokens {
                group.addTask { (0..<50).allSatisfy { _ in refusal(token) == nil } }
            }
            for await isGood in group { #expect(isGood) }
        }
        #expect(cache.count == 8)
    }
}
