import AuthKitCore
import Testing

@Suite struct KeySelectionTests {
    private func refusal(
        _ key: SigningKey,
        kid: String?,
        _ set: JWKSet,
        _ algorithms: [JWSAlgorithm]
    ) throws -> JWTError.Code? {
        let token = try TestKeys.token(with: key, keyID: kid)
        return TestKeys.refusal(of: token, keys: set, policy: TestKeys.policy(algorithms))
    }

    @Test(arguments: JWSAlgorithm.all)
    func `every algorithm is verified under its key alone`(_ algorithm: JWSAlgorithm) throws {
        let key = try SigningKey.generate(algorithm)
        #expect(try refusal(key, kid: nil, JWKSet([key.key.publicKey]), [algorithm]) == nil)
        let other = try SigningKey.generate(algorithm)
        #expect(try refusal(key, kid: nil, JWKSet([other.key.publicKey]), [algorithm]) == .badSignature)
        let rest = JWSAlgorithm.all.filter { algorithm.allowed(by: [$0]) == nil }
        #expect(try refusal(key, kid: nil, JWKSet([key.key.publicKey]), rest) == .algorithmNotAllowed)
        #expect(try refusal(key, kid: nil, JWKSet([key.key.publicKey]), []) == .algorithmNotAllowed)
    }

    @Test func `an RSA key is no secret for HMAC`() throws {
        let rsa = try PrivateJWK.generate(.rsa())
        let secret = Base64URL.encode(Array(try rsa.publicKey.pem().utf8))
        let forger = try SigningKey(PrivateJWK(["kty": "oct", "k": .string(secret)]), algorithm: .hs256)
        #expect(try refusal(forger, kid: nil, JWKSet([rsa.publicKey]), JWSAlgorithm.all) == .keyMismatch)
    }

    @Test func `a secret shorter than the hash is weak`() throws {
        let key = try PrivateJWK.generate(.symmetric(byteCount: 48))
        let token = try TestKeys.token(with: SigningKey(key, algorithm: .hs384), keyID: nil)
        let parts = token.split(separator: ".")
        let claimed = "\(Base64URL.encode(Array(#"{"alg":"HS512"}"#.utf8))).\(parts[1]).\(parts[2])"
        let set = JWKSet([key.publicKey])
        #expect(TestKeys.refusal(of: claimed, keys: set, policy: TestKeys.policy([.hs512])) == .weakKey)
    }

    @Test func `a single key without a kid fits any kid, one with a kid only its own`() throws {
        let key = try SigningKey.generate(.es256)
        let nameless = JWKSet(single: key.key.publicKey)
        let named = JWKSet(single: try key.publicJWK(keyID: "a"))
        for kid in [nil, "a", "b"] as [String?] {
            #expect(try refusal(key, kid: kid, nameless, [.es256]) == nil)
            #expect(try refusal(key, kid: kid, named, [.es256]) == (kid == "b" ? .keyNotFound : nil))
        }
        #expect(try refusal(key, kid: "a", JWKSet([key.key.publicKey]), [.es256]) == .keyNotFound)
    }

    @Test func `EdDSA allows what the key is of, a full name only its own curve`() throws {
        let small = try SigningKey(PrivateJWK.generate(.ed25519), algorithm: .edDSA)
        let large = try SigningKey(PrivateJWK.generate(.ed448), algorithm: .edDSA)
        let set = JWKSet([small.key.publicKey, large.key.publicKey])
        #expect(try refusal(small, kid: nil, set, [.edDSA]) == nil)
        #expect(try refusal(large, kid: nil, set, [.edDSA]) == nil)
        #expect(try refusal(small, kid: nil, set, [.ed25519]) == nil)
        #expect(try refusal(large, kid: nil, set, [.ed25519]) == .badSignature)
        #expect(try refusal(large, kid: nil, set, [.ed448]) == nil)
        #expect(try refusal(large, kid: nil, JWKSet([large.key.publicKey]), [.ed25519]) == .keyMismatch)
        var mislabelled = large.key.publicKey.required
        mislabelled["alg"] = "Ed25519"
        #expect(try refusal(large, kid: nil, JWKSet([JWK(mislabelled)]), [.edDSA]) == .keyMismatch)
        mislabelled["alg"] = "Ed448"
        #expect(try refusal(large, kid: nil, JWKSet([JWK(mislabelled)]), [.edDSA]) == nil)
    }

    @Test func `an empty secret is weak`() throws {
        let token = try TestKeys.token(with: SigningKey.generate(.hs256), keyID: nil)
        let set = try JWKSet([JWK(["kty": "oct", "k": ""])])
        #expect(TestKeys.refusal(of: token, keys: set, policy: TestKeys.policy([.hs256])) == .weakKey)
    }

    @Test func `a token without a kid is tried with every key that fits`() throws {
        let keys = try (0..<20).map { _ in try SigningKey.generate(.edDSA) }
        let set = JWKSet(keys.map(\.key.publicKey))
        #expect(try refusal(keys[19], kid: nil, set, [.edDSA]) == nil)
    }

    @Test func `keys of one kid are tried, a bounded number of them`() throws {
        let keys = try (0..<17).map { _ in try SigningKey.generate(.edDSA) }
        let set = try JWKSet(keys.map { try $0.publicJWK(keyID: "same") })
        #expect(try refusal(keys[15], kid: "same", set, [.edDSA]) == nil)
        #expect(try refusal(keys[16], kid: "same", set, [.edDSA]) == .badSignature)
    }

    @Test func `a kid is compared by its bytes, escaped or not`() throws {
        let key = try SigningKey.generate(.es256)
        let set = JWKSet([try key.publicJWK(keyID: "k\u{E9}\"")])
        let token = { (kid: String) in
            try TestKeys.token(header: #"{"alg":"ES256","kid":"\#(kid)"}"#, payload: "x", with: key)
        }
        for kid in [#"k\u00e9\""#, "k\u{E9}\\u0022"] {
            let verified = try JWTVerifier.verifySignature(token(kid), with: set, algorithms: [.es256])
            #expect(verified.payload == Array("x".utf8))
        }
        let error = #expect(throws: JWTError.self) {
            try JWTVerifier.verifySignature(token(#"ke\u0301\""#), with: set, algorithms: [.es256])
        }
        #expect(error?.code == .keyNotFound)
    }

    @Test func `ten thousand hostile keys spoil nothing`() throws {
        let key = try SigningKey.generate(.es256)
        let junk: JSONValue = ["kty": "RSA", "n": "AQAB", "e": "Ag"]
        let keys = Array(repeating: junk, count: 10_000) + [.object(try key.publicJWK(keyID: "k").members)]
        let set = try JWKSet(["keys": .array(keys)])
        #expect(set.skippedCount == 10_000)
        #expect(try refusal(key, kid: "k", set, [.es256]) == nil)
    }
}
