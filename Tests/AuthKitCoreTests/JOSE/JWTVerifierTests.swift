import AuthKitCore
import Testing

@Suite struct JWTVerifierTests {
    @Test func `signatures of the RFCs are valid under their keys and no other`() throws {
        for row in try VectorFile.rows("signatures") {
            let source = row["source"]?.string ?? ""
            let algorithm = try #require(JWSAlgorithm(name: row["algorithm"]?.string ?? ""))
            let key = try JWK(try #require(row["key"]?.object))
            let token = try #require(row["token"]?.string)
            // Some of them have no claims in them, so the signature is what is looked at.
            let policy = JWTPolicy(algorithms: [algorithm], issuer: .insecureAny, audience: .insecureAny)
            let then = WallTime(seconds: 1_300_819_000)
            let refusal = TestKeys.refusal(of: token, keys: JWKSet([key]), policy: policy, at: then)
            let hasClaims = UnverifiedJWTTests.claims(of: token) != nil
            #expect(refusal == (hasClaims ? nil : .malformedClaims), "\(source)")
            let other = try JWKSet([SigningKey.generate(algorithm).publicJWK(keyID: key.keyID)])
            #expect(TestKeys.refusal(of: token, keys: other, policy: policy, at: then) == .badSignature, "\(source)")
        }
    }

    @Test(arguments: JWSAlgorithm.all)
    func `a good token is believed`(_ algorithm: JWSAlgorithm) throws {
        let key = try SigningKey.generate(algorithm)
        let token = try TestKeys.token(with: key, type: "JWT")
        let verifier = JWTVerifier(policy: TestKeys.policy([algorithm]))
        let verified = try verifier.verify(token, with: TestKeys.set([("one", key)]), at: TestKeys.now)
        #expect(verified.subject == "alice")
        #expect(verified.issuer == "https://issuer.example")
        #expect(verified.audience == ["client"])
        #expect(verified.expiresAt == WallTime(seconds: 1_800_000_300))
        #expect(verified.issuedAt == TestKeys.now)
        #expect(verified.notBefore == nil)
        #expect(verified.algorithm == algorithm)
        #expect(verified.header.type == "JWT")
        #expect(verified.key.keyID == "one")
        #expect(verified.payload == verified.claims.serialized())
    }

    @Test func `both names of EdDSA are allowed by either`() throws {
        let token = try TestKeys.token(with: TestKeys.edDSA)
        let keys = try TestKeys.set([("one", TestKeys.edDSA)])
        #expect(TestKeys.refusal(of: token, keys: keys, policy: TestKeys.policy([.ed25519])) == nil)
        #expect(TestKeys.refusal(of: token, keys: keys, policy: TestKeys.policy([.edDSA])) == nil)
    }

    @Test func `an algorithm that is not on the list is refused`() throws {
        let token = try TestKeys.token()
        let keys = try TestKeys.set([("one", TestKeys.es256)])
        #expect(TestKeys.refusal(of: token, keys: keys, policy: TestKeys.policy([.rs256])) == .algorithmNotAllowed)
        #expect(TestKeys.refusal(of: token, keys: keys, policy: TestKeys.policy([])) == .algorithmNotAllowed)
    }

    @Test func `a token without kid is tried with every fitting key`() throws {
        let keys = try TestKeys.set([
            ("a", TestKeys.otherRS256), ("b", TestKeys.edDSA), ("c", TestKeys.rs256), ("d", TestKeys.es256),
        ])
        for key in [TestKeys.rs256, TestKeys.es256, TestKeys.edDSA] {
            #expect(TestKeys.refusal(of: try TestKeys.token(with: key, keyID: nil), keys: keys) == nil)
        }
    }

    @Test func `no token is tried with an unbounded number of keys`() throws {
        let decoy = try TestKeys.otherRS256.publicJWK()
        let good = try TestKeys.rs256.publicJWK()
        let token = try TestKeys.token(with: TestKeys.rs256, keyID: nil)
        for (count, expected) in [(255, nil), (256, .badSignature)] as [(Int, JWTError.Code?)] {
            let keys = JWKSet(Array(repeating: decoy, count: count) + [good])
            #expect(TestKeys.refusal(of: token, keys: keys) == expected)
        }
    }

    @Test func `a kid that names no key is refused`() throws {
        let keys = try TestKeys.set([("one", TestKeys.es256), (nil, TestKeys.es256)])
        #expect(TestKeys.refusal(of: try TestKeys.token(keyID: "two"), keys: keys) == .keyNotFound)
        #expect(TestKeys.refusal(of: try TestKeys.token(keyID: ""), keys: keys) == .keyNotFound)
        #expect(TestKeys.refusal(of: try TestKeys.token(keyID: nil), keys: JWKSet([])) == .keyNotFound)
    }

    @Test func `decoys under the same kid do no harm`() throws {
        let keys = try TestKeys.set([
            ("one", TestKeys.edDSA), ("one", TestKeys.otherRS256), ("one", TestKeys.rs256), ("one", TestKeys.es256),
        ])
        for key in [TestKeys.rs256, TestKeys.es256, TestKeys.edDSA] {
            #expect(TestKeys.refusal(of: try TestKeys.token(with: key), keys: keys) == nil)
        }
    }

    @Test func `a key for something else is refused`() throws {
        let token = try TestKeys.token()
        for (name, value) in [("use", "enc"), ("key_ops", ["sign"]), ("alg", "ES384")] as [(String, JSONValue)] {
            var members = try TestKeys.es256.publicJWK(keyID: "one").members
            members[name] = value
            #expect(TestKeys.refusal(of: token, keys: JWKSet([try JWK(members)])) == .keyMismatch, "\(name)")
        }
    }

    @Test func `an RSA key below 2048 bits is refused`() throws {
        // The modulus of a key of 1024 bits; the token's signature does not matter.
        let modulus = [0xC0] + [UInt8](repeating: 1, count: 127)
        let weak = try JWK([
            "kty": "RSA", "kid": "one", "n": .string(Base64URL.encode(modulus)), "e": "AQAB",
        ])
        #expect(weak.isWeak)
        #expect(TestKeys.refusal(of: try TestKeys.token(with: TestKeys.rs256), keys: JWKSet([weak])) == .weakKey)
        let strong = try TestKeys.rs256.publicJWK(keyID: "one")
        #expect(TestKeys.refusal(of: try TestKeys.token(with: TestKeys.rs256), keys: JWKSet([weak, strong])) == nil)
    }
}
