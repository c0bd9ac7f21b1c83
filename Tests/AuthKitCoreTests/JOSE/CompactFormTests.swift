import AuthKitCore
import Testing

@Suite struct CompactFormTests {
    private func error(_ token: String) -> JWTError? {
        do {
            _ = try UnverifiedJWT(decoding: token)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a token in JSON serialization is refused by name`() throws {
        let token = #"{"payload":"e30","signatures":[]}"#
        #expect(error(token)?.code == .malformed)
        #expect(error(token)?.detail.contains("JSON serialization") == true)
    }

    @Test func `an encrypted token is refused by name`() throws {
        let token = "eyJhbGciOiJkaXIifQ..AAAA.AAAA.AAAA"
        #expect(error(token)?.code == .malformed)
        #expect(error(token)?.detail.contains("encrypted") == true)
    }

    @Test func `parts of every length are read`() throws {
        for count in 0...70 {
            let header = Array((#"{"alg":"x","a":""# + String(repeating: "h", count: count) + "\"}").utf8)
            let payload = [UInt8](repeating: 0xFB, count: count)
            for signatureCount in [0, 1, 2, 3, 31, 32, 33, 64] {
                let signature = [UInt8](repeating: 0xFF, count: signatureCount)
                let parts = [header, payload, signature].map(Base64URL.encode)
                let token = try UnverifiedJWT(decoding: parts.joined(separator: "."))
                #expect(token.payload == payload)
                #expect(token.header.members.serialized() == header)
            }
        }
    }

    @Test func `one wrong character anywhere is refused`() throws {
        let part = String(repeating: "A", count: 44)
        let header = Base64URL.encode(Array(#"{"alg":"x"}"#.utf8))
        let token = Array("\(header).\(part).\(part)".utf8)
        #expect(error(String(decoding: token, as: UTF8.self)) == nil)
        for index in token.indices where token[index] != UInt8(ascii: ".") {
            for wrong in ["+", "/", "=", " ", "\n", "\0", ",", "@", "[", "`", "{", "\u{7F}", "."] {
                var changed = token
                changed.replaceSubrange(index...index, with: Array(wrong.utf8))
                #expect(error(String(decoding: changed, as: UTF8.self))?.code == .malformed)
            }
        }
        #expect(error("\(header).\(part)é.\(part)")?.code == .malformed)
    }

    @Test func `claims that are no object leave a token that can be shown`() throws {
        for payload in ["", "[1]", "{", #"{"a":1,"a":1}"#, #"{"a":{"b":[{"c":1}]"#] {
            let parts = [#"{"alg":"x","kid":"k"}"#, payload, ""].map { Base64URL.encode(Array($0.utf8)) }
            let token = try UnverifiedJWT(decoding: parts.joined(separator: "."))
            #expect(token.claims == nil)
            #expect(token.header.keyID == "k")
            #expect(token.payload == Array(payload.utf8))
        }
    }
}
