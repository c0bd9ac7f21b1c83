import AuthKitCore
import Testing

@Suite struct TokenHashTests {
    // OpenID Connect Core 1.0, Appendix A.3 (ID token with at_hash) and A.4 (with c_hash).
    private let accessToken = Secret("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y")
    private let code = Secret("Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk")

    @Test func `hashes agree with OpenID Connect Core`() throws {
        #expect(TokenHash.make(of: accessToken, algorithm: .rs256, key: .rsa) == "77QmUPtjPfzWtF2AnpK9RQ")
        #expect(TokenHash.make(of: code, algorithm: .rs256, key: .rsa) == "LDktKdoQak3Pk0cnXxCltA")
        try TokenHash.check("77QmUPtjPfzWtF2AnpK9RQ", named: "at_hash", of: accessToken, algorithm: .rs256, key: .rsa)
    }

    @Test func `the digest follows the algorithm, and of EdDSA the key`() {
        for (algorithm, key, count) in [
            (JWSAlgorithm.es256, KeyKind.ec(.p256), 22), (.ps384, .rsa, 32), (.rs512, .rsa, 43), (.edDSA, .ed25519, 43),
            (.ed25519, .ed25519, 43), (.edDSA, .ed448, 76), (.ed448, .ed448, 76),
        ] {
            #expect(TokenHash.make(of: code, algorithm: algorithm, key: key).utf8.count == count)
        }
        let sha512 = TokenHash.make(of: code, algorithm: .es512, key: .ec(.p521))
        #expect(TokenHash.make(of: code, algorithm: .edDSA, key: .ed25519) == sha512)
    }

    /// The left half of 114 bytes of SHAKE256, which RFC 8032 §5.2.6 has for Ed448; computed by Python's hashlib.
    private let shakeHash = "W6Ie3EoycJT-JESJ2WSAWX7LRP3FuHvmvNycBMeL-NngYGhJXChp7YRUBdOXcrKGZD4qnhCAstjO"

    @Test(arguments: [JWSAlgorithm.edDSA, .ed448])
    func `under an Ed448 key the hash is of SHAKE256`(_ algorithm: JWSAlgorithm) throws {
        #expect(TokenHash.make(of: accessToken, algorithm: algorithm, key: .ed448) == shakeHash)
        let key = try SigningKey(PrivateJWK.generate(.ed448), algorithm: algorithm)
        var policy = TestKeys.policy([algorithm])
        policy.rules = [.accessTokenHash(of: accessToken)]
        let sha512 = TokenHash.make(of: accessToken, algorithm: .es512, key: .ec(.p521))
        for (hash, refusal) in [(shakeHash, nil), (sha512, JWTError.Code.wrongHash)] {
            let token = try TestKeys.token(with: key) { $0["at_hash"] = .string(hash) }
            #expect(TestKeys.refusal(of: token, keys: try TestKeys.set([("one", key)]), policy: policy) == refusal)
        }
    }

    @Test(arguments: ["", "77QmUPtjPfzWtF2AnpK9RR", "77QmUPtjPfzWtF2AnpK9RQ=", "LDktKdoQak3Pk0cnXxCltA"])
    func `a hash of something else is refused`(_ claim: String) {
        let error = #expect(throws: JWTError.self) {
            try TokenHash.check(claim, named: "at_hash", of: accessToken, algorithm: .rs256, key: .rsa)
        }
        #expect(error?.code == .wrongHash)
    }
}
