import AuthKitCore
import Testing

@Suite struct JWKTests {
    private func code(_ members: JSONObject) -> JWTError.Code? {
        do {
            _ = try JWK(members)
            return nil
        } catch {
            return error.code
        }
    }

    private func es256(_ change: (inout JSONObject) -> Void) throws -> JSONObject {
        var members = try TestKeys.es256.publicJWK().required
        change(&members)
        return members
    }

    @Test func `coordinates must be canonical and at full length`() throws {
        let x = try Base64URL.decode(try es256 { _ in }["x"]?.string ?? "")
        for wrong in [
            Base64URL.encode(Array(x.dropFirst())), Base64URL.encode([0] + x), Base64URL.encode(x) + "=", "", "*",
        ] {
            #expect(code(try es256 { $0["x"] = .string(wrong) }) == .malformed)
        }
        #expect(code(try es256 { $0["x"] = nil }) == .malformed)
        #expect(code(try es256 { $0["x"] = 1 }) == .malformed)
    }

    @Test func `keys of other types and curves are refused`() throws {
        #expect(code(["kty": "oct"]) == .malformed)
        #expect(code(["kty": "oct", "k": ""]) == nil)
        #expect(code(["kty": "oct", "k": "AB"]) == .malformed)
        #expect(code(["kty": "rsa"]) == .malformed)
        #expect(code([:]) == .malformed)
        #expect(code(try es256 { $0["crv"] = "P-384" }) == .malformed)
        #expect(code(try es256 { $0["crv"] = "p-256" }) == .malformed)
        #expect(code(["kty": "OKP", "crv": "X448", "x": .string(Base64URL.encode(Array(0..<56)))]) == .malformed)
        #expect(code(["kty": "OKP", "crv": "Ed25519", "x": .string(Base64URL.encode(Array(0..<31)))]) == .malformed)
    }

    @Test func `describing members of the wrong type make a key unusable`() throws {
        for (name, value) in [("kid", 1), ("alg", 1), ("use", []), ("key_ops", "verify"), ("key_ops", [1])]
            as [(String, JSONValue)]
        {
            #expect(code(try es256 { $0[name] = value }) == .malformed, "\(name)")
        }
    }

    @Test func `a leading zero of a modulus changes neither key nor thumbprint`() throws {
        let members = try TestKeys.rs256.publicJWK().required
        var padded = members
        padded["n"] = .string(Base64URL.encode([0] + (try Base64URL.decode(members["n"]?.string ?? ""))))
        #expect(try JWK(padded).thumbprint == JWK(members).thumbprint)
    }

    @Test func `a key fits only what its members allow`() throws {
        let fits = { (name: String, value: JSONValue, algorithm: JWSAlgorithm) in
            try JWK(try es256 { $0[name] = value }).fits(algorithm)
        }
        #expect(try fits("alg", "ES256", .es256))
        #expect(try !fits("alg", "ES384", .es256))
        #expect(try !fits("alg", "ECDH-ES", .es256))
        #expect(try fits("use", "sig", .es256))
        #expect(try !fits("use", "enc", .es256))
        #expect(try fits("key_ops", ["sign", "verify"], .es256))
        #expect(try !fits("key_ops", ["sign"], .es256))
        #expect(try !fits("kid", "x", .es384))
        #expect(try !fits("kid", "x", .rs256))
        let plain = try JWK(try TestKeys.rs256.publicJWK().required)
        #expect(plain.fits(.rs512))
        #expect(plain.fits(.ps256))
        #expect(!plain.fits(.es256))
    }

    @Test func `EdDSA and Ed25519 both fit an Ed25519 key`() throws {
        var members = try TestKeys.edDSA.publicJWK().required
        for name in ["EdDSA", "Ed25519"] {
            members["alg"] = .string(name)
            #expect(try JWK(members).fits(.edDSA))
            #expect(try JWK(members).fits(.ed25519))
        }
    }

    @Test func `a set skips and counts what it cannot use`() throws {
        let good = try TestKeys.es256.publicJWK(keyID: "good").members
        let set = try JWKSet([
            "keys": [
                1, .null, [], [:], ["kty": "oct", "k": "A"], ["kty": "future"], .object(good),
                .object(try es256 { $0["y"] = "AAAA" }),
            ],
            "other": true,
        ])
        #expect(set.keys.map(\.keyID) == ["good"])
        #expect(set.skippedCount == 7)
    }

    @Test func `a set takes a bounded number of keys`() throws {
        let key = JSONValue.object(try TestKeys.edDSA.publicJWK().members)
        let set = try JWKSet(["keys": .array(Array(repeating: key, count: 300))])
        #expect(set.keys.count == 256)
        #expect(set.skippedCount == 44)
    }

    @Test(arguments: [
        #"{"kid":"a","kid":"b"}"#, #"{"kid":"a","k\u0069d":"b"}"#, #"{"x":{"a":1,"a":1}}"#, #"{"kid":"\ud800"}"#,
        #"{"\ud800":1}"#, #""\udc00""#, #"{"kid":"\#u{1}"}"#,
        String(repeating: "[", count: 100) + String(repeating: "]", count: 100),
    ])
    func `one element that is no acceptable JSON value spoils no set`(_ element: String) throws {
        let good = ["a", "b"].map { id in
            (try? TestKeys.es256.publicJWK(keyID: id).members.serialized()).map { String(decoding: $0, as: UTF8.self) }
        }
        let text = try #"{"keys":[\#(#require(good[0])), \#(element) ,\#(#require(good[1]))],"x":[\#(element)]}"#
        // What stands for a byte that is no UTF-8.
        let set = try JWKSet(parsing: Array(text.utf8).map { $0 == 1 ? 0xFF : $0 })
        #expect(set.keys.map(\.keyID) == ["a", "b"])
        #expect(set.skippedCount == 1)
    }

    @Test func `keys whose numbers are none are looked through for so long only`() throws {
        let good = JSONValue.object(try TestKeys.es256.publicJWK().members)
        let bad = JSONValue.object(try es256 { $0["y"] = $0["x"] })
        let set = { (bad: [JSONValue]) in try JWKSet(["keys": .array(bad + [good])]) }
        let fewer = try set(Array(repeating: bad, count: 255))
        #expect(fewer.keys.count == 1)
        #expect(fewer.skippedCount == 255)
        let many = try set(Array(repeating: bad, count: 256))
        #expect(many.keys.isEmpty)
        #expect(many.skippedCount == 257)
        // What is not even tried costs next to nothing.
        #expect(try set(Array(repeating: ["kty": "future"], count: 1000)).keys.count == 1)
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"keys":{}}"#, #"{"keys":[],"keys":[]}"#, #"{"keys":[]} x"#, "<html>", #"{"keys":[{"a":}]}"#,
        #"{"keys":[{"a":1,"a":}]}"#, #"{"keys":[{"a":1,"a":1]}"#, #"{"keys":["a]}"#, #"{"keys":[],"\ud800":1}"#,
        #"{"keys":[\#(String(repeating: "[", count: 600))\#(String(repeating: "]", count: 600))]}"#,
    ])
    func `what is no set is refused`(_ text: String) {
        let error = #expect(throws: JWTError.self) { try JWKSet(parsing: Array(text.utf8)) }
        #expect(error?.code == .malformed)
    }
}
