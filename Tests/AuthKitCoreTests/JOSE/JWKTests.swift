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

    @Test func `thumbprints agree with the RFCs`() throws {
        let rows = try VectorFile.rows("thumbprints")
        #expect(rows.count == 2)
        for row in rows {
            let key = try JWK(try #require(row["key"]?.object))
            #expect(key.thumbprint == row["thumbprint"]?.string, "\(row["source"]?.string ?? "")")
        }
    }

    @Test func `a private key's text gives the public key alone`() throws {
        for row in try VectorFile.rows("jws") {
            let key = try JWK(try #require(row["key"]?.object))
            #expect(key.members["d"] == nil)
            #expect(try JWK(parsing: key.members.serialized()).thumbprint == key.thumbprint)
        }
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

    @Test(arguments: ["", "[]", "{}", #"{"keys":{}}"#, #"{"keys":[],"keys":[]}"#, #"{"keys":[]} x"#, "<html>"])
    func `what is no set is refused`(_ text: String) {
        let error = #expect(throws: JWTError.self) { try JWKSet(parsing: Array(text.utf8)) }
        #expect(error?.code == .malformed)
    }
}
