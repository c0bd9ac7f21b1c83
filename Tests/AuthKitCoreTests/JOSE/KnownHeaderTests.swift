import Testing

@testable import AuthKitCore

@Suite struct KnownHeaderTests {
    private let verifier = JWTVerifier(policy: TestKeys.policy())
    private let keys: JWKSet

    init() throws {
        keys = try TestKeys.set([("one", TestKeys.es256), ("two", TestKeys.edDSA)])
    }

    private func refusal(_ token: String, keys: JWKSet? = nil, at now: WallTime = TestKeys.now) -> JWTError.Code? {
        do {
            _ = try verifier.verify(token, with: keys ?? self.keys, at: now)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `a token whose header came before has its own claims and that header`() throws {
        for subject in ["alice", "bob", "carol"] {
            let token = try TestKeys.token(type: "JWT") { $0["sub"] = .string(subject) }
            let verified = try verifier.verify(token, with: keys, at: TestKeys.now)
            #expect(verified.subject == subject)
            #expect(verified.header.keyID == "one")
            #expect(verified.header.type == "JWT")
            #expect(verified.header == (try UnverifiedJWT(decoding: token).header))
            #expect(verified.payload == (try UnverifiedJWT(decoding: token).payload))
        }
    }

    @Test func `what a token with a known header is refused for is what it would be refused for without`() throws {
        #expect(refusal(try TestKeys.token()) == nil)
        let parts = try TestKeys.token().split(separator: ".").map(String.init)
        let tokens = [
            "\(parts[0]).\(parts[1])", "\(parts[0]).\(parts[1]).\(parts[2]).\(parts[2])", "\(parts[0])..\(parts[2])",
            "\(parts[0]).\(parts[1]).", "\(parts[0]).\(parts[1])=.\(parts[2])", "\(parts[0])", "\(parts[0]).",
            parts[0] + "." + Base64URL.encode(Array(#"{"iss":"evil"}"#.utf8)) + "." + parts[2],
            try TestKeys.token { $0["exp"] = 1_700_000_000 }, try TestKeys.token { $0["iss"] = "https://evil.example" },
            try TestKeys.token { $0["aud"] = 7 }, try TestKeys.token(with: SigningKey.generate(.es256)),
        ]
        for token in tokens {
            let code = refusal(token)
            #expect(code != nil)
            #expect(code == TestKeys.refusal(of: token, keys: keys))
        }
    }

    @Test func `a known header does not help a token whose key is gone`() throws {
        let token = try TestKeys.token()
        #expect(refusal(token) == nil)
        #expect(refusal(token, keys: try TestKeys.set([("two", TestKeys.edDSA)])) == .keyNotFound)
        #expect(refusal(token, keys: try TestKeys.set([("one", TestKeys.edDSA)])) == .keyMismatch)
    }

    @Test func `every changed character of a known header is refused`() throws {
        let token = try TestKeys.token()
        #expect(refusal(token) == nil)
        let bytes = Array(token.utf8)
        for index in 0...token.utf8.prefix(while: { $0 != UInt8(ascii: ".") }).count {
            for mask in [UInt8(1), 2, 4, 8, 16, 32, 64] {
                var changed = bytes
                changed[index] ^= mask
                #expect(refusal(String(decoding: changed, as: UTF8.self)) != nil)
            }
        }
    }

    @Test func `a kid that is written with escapes names the same key each time`() throws {
        for _ in 0..<2 {
            let header = #"{"alg":"ES256","kid":"\u006fne"}"#
            let payload = #"{"iss":"https://issuer.example","aud":"client"}"#
            #expect(refusal(try TestKeys.token(header: header, payload: payload)) == nil)
        }
    }

    @Test func `the last headers are kept, each once, and long ones never`() throws {
        let known = KnownHeaders()
        let headers = try (0..<12).map { try Self.header("kid\($0)") }
        for header in headers {
            for _ in 0..<2 { known.remember(header) }
        }
        let found = headers.map { known.find(Self.token($0).utf8Span.span) === $0 }
        #expect(found == Array(repeating: false, count: 4) + Array(repeating: true, count: 8))
        let long = try Self.header(String(repeating: "k", count: 1024))
        known.remember(long)
        #expect(known.find(Self.token(long).utf8Span.span) == nil)
    }

    @Test func `a header is found before a dot only`() throws {
        let known = KnownHeaders()
        let header = try Self.header("one")
        known.remember(header)
        let text = String(decoding: header.encoded, as: UTF8.self)
        for (token, isFound) in [
            ("\(text).", true), (text, false), ("\(text)A.", false), ("A\(text).", false), ("", false),
        ] {
            #expect((known.find(token.utf8Span.span) != nil) == isFound)
        }
    }

    private static func token(_ header: KnownHeader) -> String {
        String(decoding: header.encoded, as: UTF8.self) + ".e30."
    }

    private static func header(_ keyID: String) throws -> KnownHeader {
        let bytes = Array(#"{"alg":"ES256","kid":"\#(keyID)"}"#.utf8)
        let members = try JSONMembers(parsing: bytes)
        return KnownHeader(
            encoded: Array(Base64URL.encode(bytes).utf8),
            members: members,
            fields: try HeaderFields(members.index.span),
            algorithm: .es256
        )
    }
}
