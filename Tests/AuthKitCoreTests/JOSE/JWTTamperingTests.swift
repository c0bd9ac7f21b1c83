import AuthKitCore
import Testing

@Suite struct JWTTamperingTests {
    private let keys: JWKSet

    init() throws {
        keys = try TestKeys.set([
            ("one", TestKeys.es256), ("one", TestKeys.rs256), ("one", TestKeys.edDSA),
        ])
    }

    private func refusal(_ token: String) -> JWTError.Code? {
        TestKeys.refusal(of: token, keys: keys)
    }

    private func parts(_ token: String) -> [String] {
        token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func `every flipped bit of the signature is refused`() throws {
        for key in [TestKeys.es256, TestKeys.rs256, TestKeys.edDSA] {
            let parts = parts(try TestKeys.token(with: key))
            let signature = try Base64URL.decode(parts[2])
            for index in signature.indices {
                for bit in [UInt8(0), 3, 7] {
                    var changed = signature
                    changed[index] ^= 1 << bit
                    let token = "\(parts[0]).\(parts[1]).\(Base64URL.encode(changed))"
                    #expect(refusal(token) == .badSignature)
                }
            }
        }
    }

    @Test func `every changed character is refused`() throws {
        let token = Array(try TestKeys.token(with: TestKeys.edDSA).utf8)
        for index in token.indices {
            for mask in [UInt8(1), 2, 4, 8, 16, 32, 64, 128] {
                var changed = token
                changed[index] ^= mask
                #expect(refusal(String(decoding: changed, as: UTF8.self)) != nil)
            }
        }
    }

    @Test func `a changed payload is refused`() throws {
        let parts = parts(try TestKeys.token())
        let other = self.parts(try TestKeys.token { $0["sub"] = "mallory" })
        #expect(refusal("\(parts[0]).\(other[1]).\(parts[2])") == .badSignature)
    }

    @Test(arguments: ["none", "None", "NONE", "", "hs256", "RS1", "es256", "ES256 ", "ES256k", "RSA-OAEP"])
    func `an algorithm that is none or unknown is refused`(_ name: String) throws {
        let parts = parts(try TestKeys.token())
        let header: JSONObject = ["alg": .string(name), "kid": "one"]
        let encoded = Base64URL.encode(header.serialized())
        #expect(refusal("\(encoded).\(parts[1]).\(parts[2])") == .unsupportedAlgorithm)
        #expect(refusal("\(encoded).\(parts[1]).") == .unsupportedAlgorithm)
    }

    @Test func `an exchanged algorithm is refused`() throws {
        let parts = parts(try TestKeys.token(with: TestKeys.rs256))
        for (name, code) in [
            ("ES256", JWTError.Code.badSignature), ("EdDSA", .badSignature), ("PS256", .algorithmNotAllowed),
        ] {
            let header: JSONObject = ["alg": .string(name), "kid": "one"]
            #expect(refusal("\(Base64URL.encode(header.serialized())).\(parts[1]).\(parts[2])") == code)
        }
        let rsaOnly = try TestKeys.set([("one", TestKeys.rs256)])
        let header: JSONObject = ["alg": "ES256", "kid": "one"]
        let token = "\(Base64URL.encode(header.serialized())).\(parts[1]).\(parts[2])"
        #expect(TestKeys.refusal(of: token, keys: rsaOnly) == .keyMismatch)
    }

    @Test func `an empty or padded signature is refused`() throws {
        let parts = parts(try TestKeys.token())
        let input = "\(parts[0]).\(parts[1])"
        #expect(refusal(input + ".") == .badSignature)
        #expect(refusal(input + "." + Base64URL.encode([UInt8](repeating: 0, count: 64))) == .badSignature)
        let signature = try Base64URL.decode(parts[2])
        #expect(refusal(input + "." + Base64URL.encode(signature + [0])) == .badSignature)
        #expect(refusal(input + "." + Base64URL.encode([0] + signature)) == .badSignature)
    }

    @Test func `an ECDSA signature in DER is refused`() throws {
        let parts = parts(try TestKeys.token())
        let raw = try Base64URL.decode(parts[2])
        let integer = { (bytes: ArraySlice<UInt8>) in [0x02, 0x21, 0x00] + Array(bytes) }
        let body = integer(raw.prefix(32)) + integer(raw.suffix(32))
        let der = [0x30, UInt8(body.count)] + body
        #expect(refusal("\(parts[0]).\(parts[1]).\(Base64URL.encode(der))") == .badSignature)
    }

    @Test func `a token that is not three parts is refused`() throws {
        let token = try TestKeys.token()
        let parts = parts(token)
        for wrong in [
            "", ".", "..", "a", "\(parts[0]).\(parts[1])", token + ".", token + ".x", "." + token, token + ".x.y",
        ] {
            #expect(refusal(wrong) == .malformed)
        }
    }

    @Test func `spaces, line ends and padding are refused`() throws {
        let token = try TestKeys.token()
        let parts = parts(token)
        for wrong in [
            token + "\n", " " + token, token + " ", token + "=", "\(parts[0])=.\(parts[1]).\(parts[2])",
            "\(parts[0]).\(parts[1])\r\n.\(parts[2])", token + "\0", "Bearer " + token,
        ] {
            #expect(refusal(wrong) == .malformed)
        }
    }

    @Test func `base64url with stray bits is refused though it names the same signature`() throws {
        // 64 bytes leave four bits of the last character without meaning.
        let token = try TestKeys.token()
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let last = try #require(token.last)
        let value = try #require(alphabet.firstIndex(of: last))
        #expect(value % 16 == 0)
        for stray in 1..<16 { #expect(refusal(token.dropLast() + String(alphabet[value + stray])) == .malformed) }
    }

    @Test(arguments: [
        #"{"alg":"ES256","alg":"ES256","kid":"one"}"#, #"{"alg":"ES256","kid":"one","kid":"one"}"#,
        #"{"kid":"one"}"#, #"{"alg":null,"kid":"one"}"#, #"{"alg":["ES256"]}"#, #"["ES256"]"#, #""ES256""#, "",
        #"{"alg":"ES256","kid":1}"#, #"{"alg":"ES256","kid":null}"#, #"{"alg":"ES256","typ":1}"#,
        #"{"alg":"ES256","cty":[]}"#, #"{"alg":"ES256"} "x""#, #"{"alg":"ES256",}"#,
    ])
    func `a header that is not as it must be is refused`(_ header: String) throws {
        #expect(refusal(try TestKeys.token(header: header)) == .malformed)
    }

    @Test(arguments: [
        (#""crit":["exp"]"#, JWTError.Code.unsupportedCritical), (#""crit":["b64"],"b64":true"#, .unsupportedCritical),
        (#""b64":false"#, .unsupportedCritical), (#""b64":true"#, .unsupportedCritical), (#""crit":[]"#, .malformed),
        (#""crit":"exp""#, .malformed), (#""crit":[1]"#, .malformed), (#""crit":["a","a"]"#, .malformed),
        (#""crit":null"#, .malformed),
    ])
    func `critical extensions are refused`(_ member: String, _ code: JWTError.Code) throws {
        #expect(refusal(try TestKeys.token(header: #"{"alg":"ES256","kid":"one",\#(member)}"#)) == code)
    }

    @Test func `keys and addresses in the header are not looked at`() throws {
        let own = try SigningKey.generate(.es256)
        let jwk = JSONValue.object(try own.publicJWK(keyID: "own").members)
        let header: JSONObject = ["alg": "ES256", "jwk": jwk, "jku": "https://mallory.example/", "x5u": "https://x/"]
        let token = try TestKeys.token(header: String(decoding: header.serialized(), as: UTF8.self), with: own)
        #expect(refusal(token) == .badSignature)
    }

    @Test func `a token beyond the size limit is refused at once`() throws {
        let filler = String(repeating: "A", count: 1 << 20)
        #expect(refusal(try TestKeys.token() + filler) == .tooLarge)
        #expect(refusal(String(repeating: "A", count: (1 << 20) - 2) + "..") == .malformed)
    }

    @Test func `errors carry nothing of the token`() throws {
        let token = try TestKeys.token { $0["sub"] = "very-secret-subject" }
        do {
            _ = try JWTVerifier(policy: TestKeys.policy([.rs256])).verify(token + "x", with: keys, at: TestKeys.now)
            Issue.record("the token was believed")
        } catch {
            for part in parts(token) { #expect(!"\(error) \(error.detail)".contains(part)) }
        }
    }
}
