import AuthKitCore
import Testing

@Suite struct RefusedTokenTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let source: String
        let token: String
        let code: String

        var testDescription: String { source }

        static func all() throws -> [Row] {
            let rows = try VectorFile.rows("refused-tokens").map { row in
                Row(
                    source: try #require(row["source"]?.string),
                    token: try #require(row["token"]?.string),
                    code: try #require(row["code"]?.string)
                )
            }
            try #require(rows.count >= 20)
            return rows
        }
    }

    @Test(arguments: try Row.all())
    func `a token that standards show and that is not for us is refused`(_ row: Row) throws {
        let keys = try SignatureVector.allKeys()
        let refusal = SignatureVector.refusal(of: row.token, with: keys, algorithms: JWSAlgorithm.all)
        #expect(refusal?.description == row.code)
    }

    @Test(arguments: try Row.all())
    func `what it says of the refusal has nothing of the token`(_ row: Row) throws {
        let error = #expect(throws: JWTError.self) {
            try JWTVerifier.verifySignature(
                row.token,
                with: SignatureVector.allKeys(),
                algorithms: JWSAlgorithm.all
            )
        }
        let detail = try #require(error?.detail)
        for part in row.token.split(whereSeparator: { ".\"{}:,".contains($0) }) where part.count > 12 {
            #expect(!detail.contains(part))
        }
    }

    @Test func `a detached payload put back in its place is believed`() throws {
        let row = try #require(try Row.all().first { $0.source.hasPrefix("RFC 7520 Section 4.5") })
        let whole = try #require(try SignatureVector.all().first { $0.source == "RFC 7520 Section 4.4" })
        let token = row.token.replacing("..", with: ".\(whole.parts[1]).")
        #expect(try whole.refusal(of: token) == nil)
    }
}
