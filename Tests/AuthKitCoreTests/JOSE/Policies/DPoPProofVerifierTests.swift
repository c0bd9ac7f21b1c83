import AuthKitCore
import Testing

@Suite struct DPoPProofVerifierTests {
    private let verifier = DPoPProofVerifier()
    private let accessToken = Secret("Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU")

    /// A proof whose header and claims are changed as a test likes.
    private func proof(
        with key: SigningKey = TestKeys.es256,
        header changeHeader: (inout JSONObject) -> Void = { _ in },
        claims changeClaims: (inout JSONObject) -> Void = { _ in }
    ) throws -> String {
        let jwk = try key.publicJWK().required
        var header: JSONObject = ["typ": "dpop+jwt", "alg": .string(key.algorithm.name), "jwk": .object(jwk)]
        changeHeader(&header)
        var claims: JSONObject = [
            "jti": "one", "htm": "GET", "htu": .string(TokenKind.address), "iat": 1_800_000_000,
        ]
        changeClaims(&claims)
        return try TestKeys.token(
            header: String(decoding: header.serialized(), as: UTF8.self),
            payload: String(decoding: claims.serialized(), as: UTF8.self),
            with: key
        )
    }

    private func refusal(
        of proof: String,
        by verifier: DPoPProofVerifier = DPoPProofVerifier(),
        method: String = "GET",
        url: String = TokenKind.address,
        nonce: String? = nil,
        at seconds: Int64 = 1_800_000_000
    ) throws -> JWTError.Code? {
        let url = try #require(WebURL(url))
        do {
            _ = try verifier.verify(proof, method: method, url: url, nonce: nonce, at: WallTime(seconds: seconds))
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `the proof of RFC 9449 is believed`() throws {
        // §7.1, with its access token and the thumbprint of §6.1.
        let row = try #require(VectorFile.rows("dpop").first)
        let token = try #require(row["proof"]?.string)
        let url = try #require(WebURL(row["htu"]?.string ?? ""))
        let now = WallTime(seconds: try #require(row["iat"]?.int64))
        let proof = try verifier.verify(
            token,
            method: row["htm"]?.string ?? "",
            url: url,
            accessToken: Secret(row["access_token"]?.string ?? ""),
            boundTo: row["jkt"]?.string ?? "",
            nonce: nil,
            at: now
        )
        #expect(proof.identifier == row["jti"]?.string)
        #expect(proof.issuedAt == now)
        #expect(proof.thumbprint == row["jkt"]?.string)
    }

    @Test func `a proof is signed by the key in its header`() throws {
        #expect(try refusal(of: proof()) == nil)
        let other = try SigningKey.generate(.es256).publicJWK().required
        #expect(try refusal(of: proof(header: { $0["jwk"] = .object(other) })) == .badSignature)
        // The kid selects nothing.
        #expect(try refusal(of: proof(header: { $0["kid"] = "x" })) == nil)
    }

    @Test func `a proof without a public key is refused`() throws {
        #expect(try refusal(of: proof(header: { $0["jwk"] = nil })) == .malformed)
        #expect(try refusal(of: proof(header: { $0["jwk"] = "key" })) == .malformed)
        #expect(try refusal(of: proof(header: { $0["jwk"] = ["kty": "EC"] })) == .malformed)
        let octets: JSONValue = ["kty": "oct", "k": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]
        #expect(try refusal(of: proof(header: { $0["jwk"] = octets })) == .malformed)
    }

    @Test(arguments: ["d", "p", "q", "dp", "dq", "qi", "oth", "k"])
    func `a proof with private parts of its key is refused`(_ name: String) throws {
        let token = try proof(header: { header in
            var jwk = header["jwk"]?.object ?? JSONObject()
            jwk[name] = "AA"
            header["jwk"] = .object(jwk)
        })
        #expect(try refusal(of: token) == .malformed)
    }

    @Test func `a key for something else is refused`() throws {
        for (name, value) in [("use", "enc"), ("alg", "ES384"), ("key_ops", ["sign"])] as [(String, JSONValue)] {
            let token = try proof(header: { header in
                var jwk = header["jwk"]?.object ?? JSONObject()
                jwk[name] = value
                header["jwk"] = .object(jwk)
            })
            #expect(try refusal(of: token) == .keyMismatch, "\(name)")
        }
    }

    @Test func `only the algorithms of the list are allowed`() throws {
        let token = try proof(with: TestKeys.edDSA)
        #expect(try refusal(of: token) == .algorithmNotAllowed)
        #expect(try refusal(of: token, by: DPoPProofVerifier(algorithms: [.edDSA])) == nil)
        #expect(try refusal(of: token, by: DPoPProofVerifier(algorithms: [])) == .algorithmNotAllowed)
        #expect(try refusal(of: proof(header: { $0["alg"] = "none" })) == .unsupportedAlgorithm)
    }

    @Test func `a proof has its own type`() throws {
        #expect(try refusal(of: proof(header: { $0["typ"] = "JWT" })) == .wrongType)
        #expect(try refusal(of: proof(header: { $0["typ"] = nil })) == .wrongType)
    }

    @Test func `a proof is for one request`() throws {
        #expect(try refusal(of: proof(), method: "POST") == .wrongClaim)
        #expect(try refusal(of: proof(), url: "https://resource.example/other") == .wrongClaim)
        #expect(try refusal(of: proof(), url: TokenKind.address + "?page=2") == nil)
    }

    @Test func `a proof is recent`() throws {
        let short = DPoPProofVerifier(maxAge: .seconds(5), clockSkew: .seconds(2))
        #expect(try refusal(of: proof(), at: 1_800_000_120) == nil)
        #expect(try refusal(of: proof(), at: 1_800_000_121) == .tooOld)
        #expect(try refusal(of: proof(), by: short, at: 1_800_000_007) == nil)
        #expect(try refusal(of: proof(), by: short, at: 1_800_000_008) == .tooOld)
        #expect(try refusal(of: proof(), by: short, at: 1_799_999_997) == .issuedInFuture)
    }

    @Test func `a nonce that was given out must come back`() throws {
        #expect(try refusal(of: proof(claims: { $0["nonce"] = "n" }), nonce: "n") == nil)
        #expect(try refusal(of: proof(claims: { $0["nonce"] = "m" }), nonce: "n") == .wrongNonce)
        #expect(try refusal(of: proof(), nonce: "n") == .missingClaim)
    }

    @Test func `the proof beside an access token is of that token and its key`() throws {
        let thumbprint = try TestKeys.es256.publicJWK().thumbprint
        // RFC 9449 §7.1: the hash of the access token of its example.
        let good = try proof(claims: { $0["ath"] = "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo" })
        #expect(try refusal(of: good, boundTo: thumbprint) == nil)
        #expect(try refusal(of: good, boundTo: TestKeys.rs256.publicJWK().thumbprint) == .keyMismatch)
        #expect(try refusal(of: proof(), boundTo: thumbprint) == .missingClaim)
        let wrong = try proof(claims: { $0["ath"] = "gUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo" })
        #expect(try refusal(of: wrong, boundTo: thumbprint) == .wrongHash)
    }

    private func refusal(of proof: String, boundTo thumbprint: String) throws -> JWTError.Code? {
        let url = try #require(WebURL(TokenKind.address))
        do {
            _ = try verifier.verify(
                proof,
                method: "GET",
                url: url,
                accessToken: accessToken,
                boundTo: thumbprint,
                nonce: nil,
                at: TestKeys.now
            )
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `a large proof is refused`() throws {
        let token = try proof(claims: { $0["jti"] = .string(String(repeating: "x", count: 1 << 14)) })
        #expect(try refusal(of: token) == .tooLarge)
    }

    @Test func `a key in the header is worth nothing to the other verifier`() throws {
        let token = try proof()
        let keys = try TestKeys.set([(nil, TestKeys.rs256)])
        #expect(TestKeys.refusal(of: token, keys: keys, policy: TokenKind.dpopProof.policy) == .keyMismatch)
    }
}
