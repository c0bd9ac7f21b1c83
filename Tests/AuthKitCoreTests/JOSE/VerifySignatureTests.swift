import AuthKitCore
import Testing

@Suite struct VerifySignatureTests {
    private let keys: JWKSet

    init() throws {
        keys = try TestKeys.set([("one", TestKeys.es256)])
    }

    private func refusal(_ token: String, _ algorithms: [JWSAlgorithm] = [.es256]) -> JWTError.Code? {
        do {
            _ = try JWTVerifier.verifySignature(token, with: keys, algorithms: algorithms)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(arguments: ["", "no JSON", "{\"exp\":1}", "[]", "\0"])
    func `the payload may be anything`(_ payload: String) throws {
        let token = try TestKeys.token(header: #"{"alg":"ES256","kid":"one"}"#, payload: payload)
        let verified = try JWTVerifier.verifySignature(token, with: keys, algorithms: [.es256])
        #expect(verified.payload == Array(payload.utf8))
        #expect(verified.algorithm == .es256)
        #expect(verified.header.keyID == "one")
        #expect(verified.key.keyID == "one")
    }

    @Test func `algorithm, extensions, key and signature are checked`() throws {
        let token = try TestKeys.token()
        #expect(refusal(token) == nil)
        #expect(refusal(token, []) == .algorithmNotAllowed)
        #expect(refusal(token, [.rs256]) == .algorithmNotAllowed)
        #expect(refusal(try TestKeys.token(keyID: "two")) == .keyNotFound)
        #expect(refusal(try TestKeys.token(with: SigningKey.generate(.es256))) == .badSignature)
        #expect(refusal(try TestKeys.token(header: #"{"alg":"ES256","crit":["x"],"x":1}"#)) == .unsupportedCritical)
        #expect(refusal(try TestKeys.token(header: #"{"alg":"ES256","b64":false}"#)) == .unsupportedCritical)
        #expect(refusal(try TestKeys.token(header: #"{"alg":"none"}"#)) == .unsupportedAlgorithm)
        #expect(refusal(token + ".") == .malformed)
    }

    @Test func `a single key fits a token that names none or this one`() throws {
        let verifier = JWTVerifier(policy: TestKeys.policy())
        let code = { (key: JWK, token: String) -> JWTError.Code? in
            do {
                _ = try verifier.verify(token, with: key, at: TestKeys.now)
                return nil
            } catch {
                return (error as? JWTError)?.code
            }
        }
        let (bare, named) = (try TestKeys.es256.publicJWK(), try TestKeys.es256.publicJWK(keyID: "one"))
        for key in [bare, named] {
            #expect(try code(key, TestKeys.token(keyID: nil)) == nil)
            #expect(try code(key, TestKeys.token(keyID: "one")) == nil)
        }
        #expect(try code(bare, TestKeys.token(keyID: "any")) == nil)
        #expect(try code(named, TestKeys.token(keyID: "other")) == .keyNotFound)
        #expect(try code(TestKeys.edDSA.publicJWK(), TestKeys.token()) == .keyMismatch)
    }
}
