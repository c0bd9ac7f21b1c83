import AuthKitCore
import Testing

@Suite struct JWEPolicyTests {
    private static func token(
        _ algorithm: JWEAlgorithm = .a128KW,
        _ encryption: ContentEncryption = .a128GCM,
        key: PrivateJWK? = nil,
        header: JSONObject = [:]
    ) throws -> String {
        try JWE.encrypt(
            [1],
            to: try key ?? Encryption.symmetric(16),
            algorithm: algorithm,
            encryption: encryption,
            header: header
        )
    }

    private static func replacingHeader(_ token: String, _ header: String) -> String {
        let rest = token.drop { $0 != "." }
        return Base64URL.encode(Array(header.utf8)) + rest
    }

    @Test func `what is not on a list is not allowed`() throws {
        let token = try Self.token()
        let keys = [try Encryption.symmetric(16)]
        let all = Encryption.everything
        for policy in [
            JWEPolicy(algorithms: [], encryptions: all.encryptions),
            JWEPolicy(algorithms: all.algorithms, encryptions: []),
            JWEPolicy(algorithms: all.algorithms.filter { $0 != .a128KW }, encryptions: all.encryptions),
            JWEPolicy(algorithms: all.algorithms, encryptions: all.encryptions.filter { $0 != .a128GCM }),
        ] {
            #expect(Encryption.refusal(of: token, with: keys, policy: policy) == .algorithmNotAllowed)
        }
        let exact = JWEPolicy(algorithms: [.a128KW], encryptions: [.a128GCM])
        #expect(Encryption.refusal(of: token, with: keys, policy: exact) == nil)
    }

    @Test(arguments: [
        (#"{"alg":"none","enc":"A128GCM"}"#, "unsupported_algorithm"),
        (#"{"alg":"a128kw","enc":"A128GCM"}"#, "unsupported_algorithm"),
        (#"{"alg":"A128KW","enc":"A128CBC"}"#, "unsupported_algorithm"),
        (#"{"alg":"RS256","enc":"A128GCM"}"#, "unsupported_algorithm"),
        (#"{"alg":"A128KW"}"#, "malformed"),
        (#"{"enc":"A128GCM"}"#, "malformed"),
        (#"{"alg":1,"enc":"A128GCM"}"#, "malformed"),
        (#"{"alg":"A128KW","alg":"A128KW","enc":"A128GCM"}"#, "malformed"),
        (#"{"alg":"A128KW","enc":"A128GCM","kid":1}"#, "malformed"),
        (#"{"alg":"A128KW","enc":"A128GCM","typ":null}"#, "malformed"),
        (#"{"alg":"A128KW","enc":"A128GCM","cty":["JWT"]}"#, "malformed"),
        (#"{"alg":"A128KW","enc":"A128GCM"} x"#, "malformed"),
        (#"["A128KW"]"#, "malformed"),
        ("", "malformed"),
        (#"{"alg":"A128KW","enc":"A128GCM","crit":["exp"],"exp":1}"#, "unsupported_critical"),
        (#"{"alg":"A128KW","enc":"A128GCM","b64":true}"#, "unsupported_critical"),
        (#"{"alg":"A128KW","enc":"A128GCM","zip":"DEF"}"#, "unsupported_algorithm"),
        (#"{"alg":"A128KW","enc":"A128GCM","zip":null}"#, "unsupported_algorithm"),
        (#"{"alg":"A128KW","enc":"A128GCM","kid":"another"}"#, "key_not_found"),
        (#"{"alg":"A192KW","enc":"A128GCM"}"#, "key_mismatch"),
        (#"{"alg":"A128KW","enc":"A256GCM"}"#, "malformed"),
        (#"{"alg":"dir","enc":"A128GCM"}"#, "malformed"),
        (#"{"alg":"ECDH-ES","enc":"A128GCM"}"#, "malformed"),
        (#"{"alg":"ECDH-ES+A128KW","enc":"A128GCM"}"#, "malformed"),
        (#"{"alg":"RSA-OAEP","enc":"A128GCM"}"#, "key_mismatch"),
        (#"{"alg":"A128KW","enc":"A128GCM","x":1}"#, "decryption_failed"),
    ])
    func `a header that is not acceptable is refused by name`(_ header: String, _ code: String) throws {
        let keys = [try Encryption.symmetric(16)]
        let token = Self.replacingHeader(try Self.token(), header)
        #expect(Encryption.refusal(of: token, with: keys)?.description == code)
    }

    @Test func `other forms of token are refused by name`() throws {
        let signed = try TestKeys.token()
        let json = #"{"protected":"e30","ciphertext":"AA"}"#
        #expect(Encryption.error(of: signed, with: [])?.detail.contains("signed") == true)
        #expect(Encryption.error(of: json, with: [])?.detail.contains("JSON") == true)
        #expect(Encryption.refusal(of: "", with: []) == .malformed)
        #expect(Encryption.refusal(of: "....", with: []) == .malformed)
    }

    @Test func `the header of a token can be read without its key`() throws {
        let header = try JWE.unverifiedHeader(of: try Self.token(header: ["kid": "k", "cty": "JWT", "typ": "t"]))
        #expect(header.algorithmName == "A128KW")
        #expect(header.encryptionName == "A128GCM")
        #expect(header.keyID == "k")
        #expect(header.contentType == "JWT")
        #expect(header.type == "t")
    }

    @Test func `neither a result nor an error shows the content`() throws {
        let key = try Encryption.symmetric(16)
        let secret = "very secret content"
        let token = try JWE.encrypt(Array(secret.utf8), to: key, algorithm: .a128KW, encryption: .a128GCM)
        let result = try JWE.decrypt(token, with: key, policy: Encryption.everything)
        var dumped = ""
        dump(result, to: &dumped)
        for text in ["\(result)", String(reflecting: result), dumped] {
            #expect(!text.contains(secret))
            #expect(!text.contains("118"))
        }
    }
}
