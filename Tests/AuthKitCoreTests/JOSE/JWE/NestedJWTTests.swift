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
