import AuthKitCore
import Testing

@Suite struct TokenTextTests {
    private func texts(of value: some Sendable) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(reflecting: value), dumped]
    }

    @Test func `no text of a token shows what is in it`() throws {
        let token = try TestKeys.token { $0["sub"] = "alice-the-subject" }
        let keys = try TestKeys.set([("one", TestKeys.es256)])
        let verified = try JWTVerifier(policy: TestKeys.policy()).verify(token, with: keys, at: TestKeys.now)
        let signed = try JWTVerifier.verifySignature(token, with: keys, algorithms: [.es256])
        let byte = "\(try #require(verified.payload.first)), \(verified.payload[1])"
        let all = texts(of: verified) + texts(of: signed) + (try texts(of: UnverifiedJWT(decoding: token)))
        #expect(all.count == 9)
        for text in all {
            #expect(text.contains("<redacted>"))
            #expect(!text.contains("alice") && !text.contains(byte))
        }
        #expect(verified.subject == "alice-the-subject")
    }
}
