import AuthKitCore
import Testing

@Suite struct NestedJWTTests {
    private static let otherKey = try! SigningKey.generate(.es256)
    private static let keys = try! TestKeys.set([("one", TestKeys.es256)])
    private static let other = try! TestKeys.set([("one", otherKey)])

    private static func nested(
        _ inner: String,
        header: JSONObject = ["cty": "JWT"],
        algorithm: JWEAlgorithm = .ecdhES
    ) throws -> String {
        try JWE.encrypt(
            Array(inner.utf8),
            to: Encryption.p256.publicKey,
            algorithm: algorithm,
            encryption: .a256GCM,
            header: header
        )
    }

    private static func refusal(
        _ token: String,
        keys: JWKSet = keys,
        policy: JWEPolicy = Encryption.everything
    ) -> JWTError.Code? {
        do throws(JWTError) {
            _ = try JWTVerifier(policy: TestKeys.policy())
                .verify(
                    encrypted: token,
                    decryptingWith: [Encryption.p256],
                    policy: policy,
                    with: keys,
                    at: TestKeys.now
                )
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `a signed token inside an encrypted one is believed`() throws {
        let verified = try JWTVerifier(policy: TestKeys.policy())
            .verify(
                encrypted: try Self.nested(try TestKeys.token()),
                decryptingWith: [Encryption.p256],
                policy: Encryption.everything,
                with: Self.keys,
                at: TestKeys.now
            )
        #expect(verified.subject == "alice")
        for type in ["JWT", "jwt", "application/jwt"] {
            #expect(try Self.refusal(Self.nested(TestKeys.token(), header: ["cty": .string(type)])) == nil)
        }
    }

    /// RFC 7520 §6: the signed token is among the signatures, with its key.
    @Test(arguments: try VectorFile.rows("nested-tokens").compactMap { $0["source"]?.string })
    func `a nested token of a standard is believed, and no changed one`(_ source: String) throws {
        let row = try #require(try VectorFile.rows("nested-tokens").first { $0["source"]?.string == source })
        let inner = try #require(try SignatureVector.all().first { $0.source == source })
        #expect(row["plaintext"]?.string == inner.token)
        let (reader, keys) = (try PrivateJWK(try #require(row["key"]?.object)), try inner.keys)
        let verifier = JWTVerifier(
            policy: JWTPolicy(algorithms: [.ps256], issuer: .exactly("hobbiton.example"), audience: .insecureAny)
        )
        let verify = { (token: String) throws(JWTError) in
            try verifier.verify(
                encrypted: token,
                decryptingWith: [reader],
                policy: JWEPolicy(algorithms: [.rsaOAEP], encryptions: [.a128GCM]),
                with: keys,
                at: WallTime(seconds: 1_300_819_379)
            )
        }
        let text = try #require(row["token"]?.string)
        #expect(try verify(text).claims["http://example.com/is_root"] == true)
        let bytes = Array(text.utf8)
        for index in stride(from: 0, to: bytes.count, by: 7) {
            var changed = bytes
            changed[index] ^= 1 << UInt8(index % 8)
            #expect(throws: JWTError.self) { try verify(String(decoding: changed, as: UTF8.self)) }
        }
    }

    @Test func `every layer is checked`() throws {
        let token = try Self.nested(try TestKeys.token())
        #expect(Self.refusal(token, keys: Self.other) == .badSignature)
        #expect(Self.refusal(token, policy: JWEPolicy(algorithms: [], encryptions: [])) == .algorithmNotAllowed)
        #expect(try Self.refusal(Self.nested(TestKeys.token { $0["exp"] = 1 })) == .expired)
        #expect(try Self.refusal(Self.nested(TestKeys.token { $0["aud"] = "another" })) == .wrongAudience)
        var parts = token.split(separator: ".", omittingEmptySubsequences: false)
        parts[3] = Substring(Base64URL.encode([0]))
        #expect(Self.refusal(parts.joined(separator: ".")) == .decryptionFailed)
    }

    @Test func `claims that are encrypted and not signed are nobody's`() throws {
        let claims = #"{"iss":"https://issuer.example","aud":"client","sub":"alice","exp":1800000300}"#
        #expect(try Self.refusal(Self.nested(claims)) == .malformed)
        #expect(try Self.refusal(Self.nested(claims, header: [:])) == .wrongType)
        let unsigned = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8)) + "." + Base64URL.encode(Array(claims.utf8))
        #expect(try Self.refusal(Self.nested(unsigned + ".")) == .unsupportedAlgorithm)
    }

    @Test func `an encrypted token that does not say what it holds is refused`() throws {
        for header in [[:], ["cty": "text/plain"], ["typ": "JWT"]] as [JSONObject] {
            #expect(try Self.refusal(Self.nested(TestKeys.token(), header: header)) == .wrongType)
        }
    }

    @Test func `an encrypted token inside an encrypted one is one layer too many`() throws {
        let inner = try Self.nested(try TestKeys.token())
        #expect(try Self.refusal(Self.nested(inner)) == .malformed)
    }

    @Test func `a plain signed token is not taken for an encrypted one`() throws {
        #expect(Self.refusal(try TestKeys.token()) == .malformed)
        let refusal = TestKeys.refusal(of: try Self.nested(try TestKeys.token()), keys: Self.keys)
        #expect(refusal == .malformed)
    }

    @Test func `claims repeated in the outer header must be the same`() throws {
        let token = try TestKeys.token()
        let same: JSONObject = ["cty": "JWT", "iss": "https://issuer.example", "sub": "alice", "aud": "client"]
        #expect(try Self.refusal(Self.nested(token, header: same)) == nil)
        for name in ["iss", "sub", "aud"] {
            #expect(try Self.refusal(Self.nested(token, header: ["cty": "JWT", name: "another"])) == .wrongClaim)
            #expect(try Self.refusal(Self.nested(token, header: ["cty": "JWT", name: .null])) == .wrongClaim)
        }
    }

    @Test func `bytes that are no text are no token`() throws {
        let token = try JWE.encrypt(
            [0xFF, 0xFE],
            to: Encryption.p256.publicKey,
            algorithm: .ecdhES,
            encryption: .a128GCM,
            header: ["cty": "JWT"]
        )
        #expect(Self.refusal(token) == .malformed)
    }
}
