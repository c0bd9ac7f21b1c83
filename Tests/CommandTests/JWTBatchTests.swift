import AuthKitCore
import Testing

@testable import authkit_cli

@Suite struct JWTBatchTests {
    private static let good =
        #"{"id":1,"token":"\#(EdDSAExample.token)","jwk":\#(EdDSAExample.publicKey),"signature_only":true}"#

    /// A line about the example's token; members of the same name as one of these replace it.
    private static func line(_ members: JSONObject) throws -> String {
        var line = try #require(try JSONValue(parsing: Array(good.utf8)).object)
        for member in members.members { line[member.name] = member.value }
        return String(decoding: line.serialized(), as: UTF8.self) + "\n"
    }

    @Test func `lines are answered in order, blank ones skipped, and all valid is 0`() async throws {
        let harness = try CommandHarness()
        let set =
            #"{"id":"b","token":"\#(EdDSAExample.token)","jwks":{"keys":[\#(EdDSAExample.publicKey)]},"signature_only":true}"#
        let outcome = await harness.run(
            ["jwt", "verify", "--batch", "-"],
            input: "\n \t\r\n\(Self.good)\r\n\n\(set)"
        )
        #expect(outcome.exit == .done)
        let payload = Base64URL.encode(Array(EdDSAExample.payload.utf8))
        #expect(
            outcome.output == """
                {"id":1,"valid":true,"payload":"\(payload)"}
                {"id":"b","valid":true,"payload":"\(payload)"}

                """
        )
        #expect(outcome.messages.isEmpty)
        #expect(try await harness.batch("").exit == .done)
    }

    @Test func `one that is not valid is 1, and the others are answered all the same`() async throws {
        let harness = try CommandHarness()
        let bad = try Self.line(["id": 2, "token": "a.b.c"])
        try harness.write(Self.good + "\n" + bad + Self.good, to: "lines")
        let outcome = await harness.run("jwt", "verify", "--batch", "lines")
        #expect(outcome.exit == .negative)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[1] == #"{"id":2,"valid":false,"code":"malformed"}"#)
        #expect(lines[2].hasPrefix(#"{"id":1,"valid":true"#))
    }

    @Test(arguments: [
        "x", "[]", "5", "{", #"{"id":7}"#, #"{"id":7,"token":"a"}"#, #"{"id":7,"id":7,"token":"a","pem":"x"}"#,
        #"{"id":7,"token":"a","jwk":{},"pem":"x"}"#, #"{"id":7,"token":"a","jwk":{},"jwks":{}}"#,
        #"{"id":7,"token":5,"pem":"x"}"#, #"{"id":7,"token":null,"pem":"x"}"#, #"{"id":7,"token":"a","pem":5}"#,
        #"{"id":7,"token":"a","jwk":"x"}"#, #"{"id":7,"token":"a","jwks":[]}"#, #"{"id":7,"token":"a","jwk":null}"#,
        #"{"id":7,"pem":"x"}"#,
    ])
    func `a line that cannot be used is an answer`(_ line: String) async throws {
        let (exit, answers) = try await CommandHarness().batch(line + "\n" + Self.good)
        #expect(exit == .negative)
        #expect(answers.count == 2)
        #expect(answers.first?["code"] == "bad_request")
        #expect(answers.first?["valid"] == false)
        #expect(
            answers.first?["id"]
                == (line.hasPrefix(#"{"id":7,"#) && !line.contains(#","id""#) || line == #"{"id":7}"# ? 7 : .null)
        )
        #expect(answers.last?["valid"] == true)
    }

    @Test(
        arguments: [
            ["alg": "EdDSA"], ["alg": [5]], ["audience": 5], ["audience": ["a"]], ["issuer": true], ["at": "0"],
            ["at": 1e300],
            ["clock_skew": 360], ["clock_skew": -1], ["clock_skew": "1"], ["signature_only": 1], ["typ": 5],
            ["nonce": 5],
            ["require_exp": "yes"],
            // With signature_only these would seem to be checked.
            ["issuer": "i"], ["audience": "a"], ["typ": "JWT"], ["nonce": "n"], ["require_exp": true],
        ] as [JSONObject]
    )
    func `a member of the wrong type, out of bounds or never looked at makes a line one that cannot be used`(
        _ members: JSONObject
    ) async throws {
        let (_, answers) = try await CommandHarness().batch(try Self.line(members))
        #expect(answers.map { $0["code"] } == ["bad_request"])
    }

    @Test(
        arguments: [
            (["alg": ["EdDSA"]], nil), (["alg": ["Ed25519"]], nil), (["alg": .null], nil),
            (["alg": []], "algorithm_not_allowed"),
            (["alg": ["eddsa", "none"]], "algorithm_not_allowed"), (["clock_skew": 359.9], nil), (["at": -1.5], nil),
            (["signature_only": false], "malformed_claims"), (["jwk": .null, "jwks": ["keys": []]], "key_not_found"),
            (["jwk": .null, "jwks": [:]], "bad_request"), (["jwk": [:]], "bad_request"),
            (["jwk": .null, "pem": "x"], "bad_request"), (["jwk": ["kty": "EC", "crv": "P-256"]], "bad_request"),
            (["jwk": .null, "jwks": ["keys": 5]], "bad_request"),
            (["jwk": ["kty": "oct", "k": "AAAA"]], "algorithm_not_allowed"), (["unheard_of": 5], nil),
            (["require_exp": false, "audience": .null], nil),
        ] as [(JSONObject, String?)]
    )
    func `a line says what is allowed`(_ members: JSONObject, _ code: String?) async throws {
        let (exit, answers) = try await CommandHarness().batch(try Self.line(members))
        #expect(answers.map { $0["code"]?.string } == [code])
        #expect(exit == (code == nil ? .done : .negative))
    }

    @Test(arguments: ["null", "5", "5.50", #""5""#, "[1, {\"a\":2}]", "{\"a\":[null]}", "false"])
    func `the id comes back as it was written`(_ id: String) async throws {
        let line = #"{"token":"a","pem":"x","id":\#(id)}"#
        let outcome = try await CommandHarness().run(["jwt", "verify", "--batch", "-"], input: line)
        #expect(outcome.output == #"{"id":\#(id),"valid":false,"code":"bad_request"}"# + "\n")
    }

    @Test func `claims are checked by each line's own demands and time`() async throws {
        let harness = try CommandHarness()
        try await harness.makeKey("ES256")
        let token = try await harness.sign(#"{"iss":"i","aud":"a","nonce":"n","exp":1000}"#)
        let pem = await harness.run("jwk", "convert", "key.jwk", "--to", "pem").output
        let base: JSONObject = ["token": .string(token), "pem": .string(pem)]
        let cases: [(JSONObject, String?)] = [
            (["at": 1000], nil), (["at": 1000, "clock_skew": 0], "expired"), ([:], "expired"), (["at": 1059.9], nil),
            (["at": 1060.1], "expired"), (["at": 0, "issuer": "i"], nil), (["at": 0, "issuer": "j"], "wrong_issuer"),
            (["at": 0, "audience": "b"], "wrong_audience"), (["at": 0, "nonce": "m"], "wrong_nonce"),
            (["at": 0, "typ": "at+jwt"], "wrong_type"), (["at": 0, "require_exp": true], nil),
            (["at": 5000, "signature_only": true], nil),
        ]
        let lines = cases.map { members, _ in
            var line = base
            for member in members.members { line[member.name] = member.value }
            return String(decoding: line.serialized(), as: UTF8.self) + "\n"
        }
        let (_, answers) = try await harness.batch(lines.joined())
        #expect(answers.map { $0["code"]?.string } == cases.map(\.1))
    }

    @Test(
        arguments: [
            (#"{"id":[7,"a,b"],"token":""#, [7, "a,b"]), (#"{"x":",","id":7 ,"token":""#, 7), (#"{"token":""#, .null),
            (#"{"id":7,"id":8,"token":""#, 7), (#"["id",7,""#, .null),
        ] as [(String, JSONValue)]
    )
    func `a line that is too long is an answer, and the next one is read`(_ head: String, _ id: JSONValue) async throws
    {
        let long = head + String(repeating: "a", count: BatchLine.byteLimit) + #"","pem":"x"}"#
        let (exit, answers) = try await CommandHarness().batch(long + "\n" + Self.good)
        #expect(exit == .negative)
        #expect(answers.map { $0["code"]?.string } == ["too_large", nil])
        #expect(answers.first?["id"] == id)
    }

    @Test func `one bad key of a set in a line is skipped`() async throws {
        let keys = #"{"kty":"OKP","kty":"OKP"},{"x":"\ud800"},\#(EdDSAExample.publicKey)"#
        let line = #"{"token":"\#(EdDSAExample.token)","jwks":{"keys":[\#(keys)]},"signature_only":true}"#
        #expect(try await CommandHarness().batch(line).exit == .done)
        let twice = #"{"token":"\#(EdDSAExample.token)","jwk":{"kty":"OKP",\#(EdDSAExample.publicKey.dropFirst())}"#
        #expect(try await CommandHarness().batch(twice).answers.map { $0["code"] } == ["bad_request"])
    }

    @Test func `a token as large as is allowed is read`() async throws {
        let token = EdDSAExample.token + String(repeating: "A", count: 1 << 20 - EdDSAExample.token.utf8.count)
        let (_, answers) = try await CommandHarness().batch(try Self.line(["token": .string(token)]))
        #expect(answers.map { $0["code"]?.string } == ["bad_signature"])
        let (_, large) = try await CommandHarness().batch(try Self.line(["token": .string(token + "A")]))
        #expect(large.map { $0["code"]?.string } == ["too_large"])
        let huge = try Self.line(["token": .string(String(repeating: token, count: 3))])
        let (_, answered) = try await CommandHarness().batch(huge)
        #expect(answered.map { $0["code"]?.string } == ["too_large"])
        #expect(answered.map { $0["id"] } == [1])
    }

    /// Gives lines one by one, each only after the one before was answered.
    private final class PatientSource: ByteSource {
        private let sink: RecordingSink
        private let given = Guarded(0)

        init(_ sink: RecordingSink) { self.sink = sink }

        func piece(atMost count: Int) async throws -> [UInt8] {
            let number = given.withLock { given in
                defer { given += 1 }
                return given
            }
            #expect(sink.output.split(separator: "\n").count == number)
            return number < 3 ? Array((JWTBatchTests.good + "\n").utf8) : []
        }
    }

    @Test func `a line is answered before the next one comes`() async throws {
        let sink = RecordingSink()
        var batch = BatchVerification(time: SystemTime())
        #expect(try await batch.run(PatientSource(sink), sink))
        #expect(sink.output.split(separator: "\n").count == 3)
    }

    @Test func `many keys are forgotten rather than kept`() async throws {
        let harness = try CommandHarness()
        let lines = (0..<2500).map { number in
            #"{"id":\#(number),"token":"\#(EdDSAExample.token)","signature_only":true,"jwks":{"keys":["#
                + #"{"kid":"\#(number)"},\#(EdDSAExample.publicKey)]}}"# + "\n"
        }
        let (exit, answers) = try await harness.batch(lines.joined())
        #expect(exit == .done)
        #expect(answers.map { $0["id"]?.int64 } == (0..<2500).map { Int64($0) })
    }

    @Test func `a file that is not there is 74`() async throws {
        #expect(try await CommandHarness().run("jwt", "verify", "--batch", "absent").exit == .inputOutput)
        #expect(try await CommandHarness().run("jwt", "verify", "--batch", "/").exit == .inputOutput)
        #expect(try await CommandHarness().run("jwt", "verify", "a.b.c", "--batch", "-").exit == .usage)
    }
}
