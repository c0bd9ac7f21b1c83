import AuthKitCore
import Testing

/// No error shows what is in a token: every text in it that is not a registered name bears a mark here, and so do the
/// characters of its signature.
///
/// Two things are told on purpose: an algorithm by its name, and dates.
@Suite struct JWTErrorTextTests {
    /// A refusal that comes of a token.
    struct Case: Sendable, CustomTestStringConvertible {
        let code: JWTError.Code
        var header = #""alg":"ES256","kid":"one""#
        var claims: [String: JSONValue] = [:]
        var key = TestKeys.es256
        var payload: String?
        var damage: @Sendable (String) -> String = { $0 }
        var policy: @Sendable (inout JWTPolicy) -> Void = { _ in }

        var testDescription: String { code.description }
    }

    private static let mark = "Very5ecretMark"

    private static let cases = [
        Case(code: .malformed, damage: { "\($0).\(mark)" }),
        Case(code: .malformed, header: #""alg":"ES256","\#(mark)":1,"\#(mark)":2"#),
        Case(code: .unsupportedAlgorithm, header: #""alg":"\#(mark)\#(mark)""#),
        Case(code: .unsupportedAlgorithm, header: #""alg":"\#(mark)!""#),
        Case(code: .algorithmNotAllowed, policy: { $0.algorithms = [.rs256] }),
        Case(code: .keyNotFound, header: #""alg":"ES256","kid":"\#(mark)""#),
        Case(code: .keyMismatch, header: #""alg":"ES256","kid":"two""#),
        Case(code: .badSignature, key: try! SigningKey.generate(.es256)),
        Case(code: .unsupportedCritical, header: #""alg":"ES256","kid":"one","crit":["\#(mark)"],"\#(mark)":1"#),
        Case(code: .malformedClaims, payload: #"{"\#(mark)":"\#(mark)","\#(mark)":1}"#),
        Case(code: .malformedClaims, payload: #"{"\#(mark)":"\#(mark)""#),
        Case(code: .malformedClaims, claims: ["exp": .string(mark)]),
        Case(code: .malformedClaims, claims: ["aud": .array([.string("client"), .bool(true), .string(mark)])]),
        Case(code: .missingClaim, policy: { $0.requiredClaims = ["azp"] }),
        Case(code: .expired, claims: ["exp": 1_700_000_000]),
        Case(code: .notYetValid, claims: ["nbf": 1_900_000_000]),
        Case(code: .issuedInFuture, claims: ["iat": 1_900_000_000]),
        Case(code: .wrongIssuer, claims: ["iss": .string("https://\(mark).example")]),
        Case(code: .wrongAudience, claims: ["aud": .string(mark)]),
        Case(
            code: .wrongType,
            header: #""alg":"ES256","kid":"one","typ":"\#(mark)""#,
            policy: { $0.type = .oneOf(["JWT"]) }
        ),
        Case(code: .wrongNonce, claims: ["nonce": .string(mark)], policy: { $0.nonce = "ours" }),
        Case(
            code: .wrongHash,
            claims: ["at_hash": .string(mark)],
            policy: { $0.rules = [.accessTokenHash(of: Secret("Very5ecretMark"))] }
        ),
        Case(code: .wrongClaim, claims: ["scope": .string(mark)], policy: { $0.rules = [.claim("scope", is: "read")] }),
        Case(code: .forbiddenClaim, claims: ["nonce": .string(mark)], policy: { $0.rules = [.absent(["nonce"])] }),
        Case(code: .tooOld, claims: ["iat": 1_700_000_000], policy: { $0.rules = [.issued(within: .seconds(60))] }),
        Case(code: .tooLongLived, claims: ["exp": 1_900_000_000], policy: { $0.rules = [.ends(within: .seconds(60))] }),
        Case(code: .tooLarge, damage: { $0 + String(repeating: mark, count: 1 << 17) }),
    ]

    @Test(arguments: cases)
    func `an error has nothing of the token`(_ refused: Case) throws {
        var claims: JSONObject = [
            "iss": "https://issuer.example", "aud": "client", "exp": 1_800_000_300, "iat": 1_800_000_000,
            "sub": .string(Self.mark), "jti": .string(Self.mark), Self.mark: .string(Self.mark),
        ]
        for (name, value) in refused.claims { claims[name] = value }
        let payload = refused.payload ?? String(decoding: claims.serialized(), as: UTF8.self)
        let signed = try TestKeys.token(header: "{\(refused.header)}", payload: payload, with: refused.key)
        let token = refused.damage(signed)
        let keys = try TestKeys.set([("one", TestKeys.es256), ("two", TestKeys.rs256)])
        var policy = TestKeys.policy()
        refused.policy(&policy)
        let error = #expect(throws: JWTError.self) {
            try JWTVerifier(policy: policy).verify(token, with: keys, at: TestKeys.now)
        }
        let texts = try texts(of: #require(error))
        #expect(error?.code == refused.code)
        for text in texts {
            #expect(!text.contains(Self.mark), "\(text)")
            for part in signed.split(separator: ".") { #expect(!text.contains(part.prefix(12)), "\(text)") }
        }
    }

    @Test func `an error of decryption has nothing of the token`() throws {
        let key = try PrivateJWK.generate(.symmetric())
        let header: JSONObject = [Self.mark: .string(Self.mark)]
        let token = try JWE.encrypt(
            Array(Self.mark.utf8),
            to: key,
            algorithm: .direct,
            encryption: .a256GCM,
            header: header
        )
        let other = try PrivateJWK.generate(.symmetric())
        let policy = JWEPolicy(algorithms: [.direct], encryptions: [.a256GCM])
        let error = #expect(throws: JWTError.self) { try JWE.decrypt(token, with: other, policy: policy) }
        #expect(error?.code == .decryptionFailed)
        for text in try texts(of: #require(error)) {
            #expect(!text.contains(Self.mark), "\(text)")
            for part in token.split(separator: ".") { #expect(!text.contains(part.prefix(12))) }
        }
    }

    @Test func `every code that comes of a token is looked at`() {
        // These two tell of a key and of the library.
        let others: Set<JWTError.Code> = [.weakKey, .cannotVerify, .decryptionFailed]
        #expect(Set(Self.cases.map(\.code)).union(others) == Set(JWTError.Code.all))
    }

    /// All that an error shows in any way, its causes included.
    private func texts(of error: JWTError) throws -> [String] {
        var texts = ["\(error)", String(reflecting: error), error.detail]
        var dumped = ""
        dump(error, to: &dumped)
        texts.append(dumped)
        return texts
    }
}
