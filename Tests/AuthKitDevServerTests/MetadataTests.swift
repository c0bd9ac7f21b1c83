import AuthKitCore
import AuthKitDevServer
import Testing

@Suite struct MetadataTests {
    @Test(arguments: ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"])
    func `both documents name the issuer and its endpoints`(_ path: String) throws {
        let bench = try IssuerBench()
        let metadata = try bench.get(path).json()
        #expect(metadata.text("issuer") == "http://127.0.0.1:9999")
        #expect(metadata.text("token_endpoint") == "http://127.0.0.1:9999/token")
        #expect(metadata["code_challenge_methods_supported"] == ["S256"])
        #expect(metadata["authorization_response_iss_parameter_supported"] == true)
    }

    @Test func `an issuer with a path has its documents where the standards put them`() throws {
        let bench = try IssuerBench { $0.path = "/api/oidc" }
        let one = try bench.get("/api/oidc/.well-known/openid-configuration").json()
        let other = try bench.get("/.well-known/oauth-authorization-server/api/oidc").json()
        #expect(one.text("issuer") == "http://127.0.0.1:9999/api/oidc")
        #expect(one == other)
        #expect(one.text("jwks_uri") == "http://127.0.0.1:9999/api/oidc/jwks")
        #expect(bench.get("/api/oidc/jwks").status == 200)
        #expect(bench.get("/jwks").status == 404)
    }

    @Test func `other methods are refused with those there are`() throws {
        let answer = try IssuerBench().get("/token")
        #expect(answer.status == 405)
        #expect(answer.field("Allow") == "POST")
    }

    @Test func `the key set has a key for each algorithm and nothing private`() throws {
        let bench = try IssuerBench { $0.hasKeyForEachAlgorithm = true }
        let keys = try #require(bench.get("/jwks").json()["keys"]?.array)
        #expect(keys.compactMap { $0["alg"]?.string } == ["RS256", "ES256"])
        #expect(keys.allSatisfy { $0["d"] == nil && $0["kid"]?.string?.isEmpty == false && $0["use"] == "sig" })
    }

    @Test func `rotated keys stay published so that old tokens can be verified`() throws {
        let bench = try IssuerBench()
        let old = try bench.tokens().text("id_token")
        try bench.issuer.rotateKeys()
        _ = try bench.verify(old)
        let keys = try #require(bench.get("/jwks").json()["keys"]?.array)
        #expect(keys.count == 2)
        _ = try bench.verify(bench.tokens().text("id_token"))
        #expect(bench.issuer.statistics.keyRotations == 1)
    }

    @Test func `rotated keys are dropped when that is asked for`() throws {
        let bench = try IssuerBench { $0.publishesRetiredKeys = false }
        let old = try bench.tokens().text("id_token")
        #expect(bench.post("/dev/rotate-keys", []).status == 200)
        let error = #expect(throws: JWTError.self) { try bench.verify(old) }
        #expect(error?.code == .keyNotFound)
        _ = try bench.verify(bench.tokens().text("id_token"))
    }

    @Test func `a rotation can drop the old keys once`() throws {
        let bench = try IssuerBench()
        let keys = try bench.post("/dev/rotate-keys?drop=true", []).json()
        #expect(keys["keys"]?.array?.count == 1)
    }

    @Test func `ID tokens are signed with the chosen algorithm`() throws {
        let bench = try IssuerBench {
            $0.algorithm = .rs256
            $0.hasKeyForEachAlgorithm = true
            $0.clients[1].algorithm = .es256
        }
        _ = try bench.verify(bench.tokens().text("id_token"), algorithm: .rs256)
        let code = try bench.code(["client_id": "dev-conf"])
        let other = bench.redeem(code, ["client_id": nil], fields: [IssuerBench.confidential])
        let header = try #require(try other.json().text("id_token")?.split(separator: ".").first)
        #expect(try JSONValue(parsing: Base64URL.decode(header))["alg"] == "ES256")
    }
}
