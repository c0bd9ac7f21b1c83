import AuthKitCore
import AuthKitTesting
import Testing

/// Requests with a token that is bound to a key (RFC 9449).
@Suite struct DPoPAuthorizationTests {
    private let rig = SessionRig()
    private let key: PrivateJWK
    private let url: WebURL

    init() throws {
        key = try PrivateJWK.generate(.fit(for: .es256))
        url = try #require(WebURL("https://api.example/items?page=1"))
    }

    /// Signs in with a DPoP token and its key.
    private func session(type: String = "DPoP", key: String?, offset: Duration? = nil) async throws -> Session {
        _ = try await rig.session().signIn(through: NoAgent())
        let vault = try await rig.vault()
        let entry = try #require(await vault.load(rig.id))
        var credential = entry.credential
        credential.accessTokens[.primary]?.type = type
        credential.keys["dpop"] = key.map { Secret($0) }
        credential.clockOffset = offset
        try await vault.save(credential, replacing: entry.version)
        return try await rig.session()
    }

    private func keyText() throws -> String {
        String(decoding: try key.privateMembers().serialized(), as: UTF8.self)
    }

    private func verify(_ fields: [HTTPField], nonce: String? = nil, at time: WallTime? = nil) throws -> DPoPProof {
        let token = try #require(fields.first(named: "authorization"))
        #expect(token.hasPrefix("DPoP "))
        return try DPoPProofVerifier().verify(
            try #require(fields.first(named: "dpop")),
            method: "GET",
            url: url,
            accessToken: Secret(String(token.dropFirst(5))),
            boundTo: key.publicKey.thumbprint,
            nonce: nonce,
            at: time ?? rig.time.now.wall
        )
    }

    private func nonceChallenge(_ nonce: String) throws -> AuthorizationChallenge {
        try #require(
            AuthorizationChallenge(
                status: 401,
                fields: [
                    HTTPField("WWW-Authenticate", "DPoP error=\"use_dpop_nonce\""), HTTPField("DPoP-Nonce", nonce),
                ]
            )
        )
    }

    @Test func `each request has a proof of its own that a resource accepts`() async throws {
        let session = try await session(key: try keyText())
        let fields = try await session.perform { authorization in
            .value([
                try authorization.fields(method: "GET", url: url), try authorization.fields(method: "GET", url: url),
            ])
        }
        let proofs = try fields.map { try verify($0) }
        #expect(proofs[0].identifier != proofs[1].identifier)
        let areSecret = fields.joined().allSatisfy(\.isSecret)
        #expect(areSecret)
        #expect(proofs[0].token.header.type == "dpop+jwt")
    }

    @Test func `a nonce is asked for once, used at once and remembered for the origin`() async throws {
        let session = try await session(key: try keyText())
        let sends = Guarded<[[HTTPField]]>([])
        func get(_ authorization: Authorization) throws -> Attempt<Int> {
            let fields = try authorization.fields(method: "GET", url: url)
            let count = sends.withLock { sends in
                sends.append(fields)
                return sends.count
            }
            return count == 1 ? .challenged(try nonceChallenge("nonce-1")) : .value(count)
        }
        #expect(try await session.perform { try get($0) } == 2)
        #expect(try await session.perform { try get($0) } == 3)
        let sent = sends.withLock { $0 }
        _ = try verify(sent[0])
        _ = try verify(sent[1], nonce: "nonce-1")
        _ = try verify(sent[2], nonce: "nonce-1")
        #expect(rig.issuer.renewals == 0)
        let other = try #require(WebURL("https://other.example/"))
        let proof = try await session.perform { authorization in
            .value(try authorization.fields(method: "GET", url: other).first(named: "dpop"))
        }
        #expect(try UnverifiedJWT(decoding: try #require(proof)).claims?["nonce"] == nil)
    }

    @Test func `a nonce and then a refused token make three requests and one renewal`() async throws {
        let session = try await session(key: try keyText())
        let sends = Guarded(0)
        let invalid = try #require(
            AuthorizationChallenge(
                status: 401,
                fields: [HTTPField("WWW-Authenticate", "DPoP error=\"invalid_token\"")]
            )
        )
        let nonce = try nonceChallenge("nonce-1")
        let value = try await session.perform { authorization -> Attempt<Int> in
            _ = try authorization.fields(method: "GET", url: url)
            let count = sends.withLock { sends in
                sends += 1
                return sends
            }
            switch count {
            case 1: return .challenged(nonce)
            case 2: return .challenged(invalid)
            default: return .value(count)
            }
        }
        #expect(value == 3)
        #expect(rig.issuer.renewals == 1)
    }

    @Test func `a resource that asks for nonces without end is left alone`() async throws {
        let session = try await session(key: try keyText())
        let challenge = try nonceChallenge("nonce")
        let sends = Guarded(0)
        let code = await sessionCode {
            try await session.perform { authorization -> Attempt<Int> in
                _ = try authorization.fields(method: "GET", url: url)
                sends.withLock { $0 += 1 }
                return .challenged(challenge)
            }
        }
        #expect(code == .tokenRefused)
        #expect(sends.withLock { $0 } == 2)
    }

    @Test func `an answer's nonce is kept for the next proof`() async throws {
        let session = try await session(key: try keyText())
        let response = HTTPResponse(
            status: 200,
            fields: [HTTPField("dpop-nonce", "fresh")],
            url: url,
            receivedAt: rig.time.now
        )
        _ = try await session.perform { authorization in
            authorization.keepNonce(of: response)
            return .value(try verify(try authorization.fields(method: "GET", url: url), nonce: "fresh"))
        }
    }

    @Test func `the time of a proof is the issuer's, where a wrong clock here is known`() async throws {
        let session = try await session(key: try keyText(), offset: .seconds(600))
        let fields = try await session.perform { .value(try $0.fields(method: "GET", url: url)) }
        let proof = try verify(fields, at: rig.time.now.wall + .seconds(600))
        #expect(proof.issuedAt == rig.time.now.wall + .seconds(600))
    }

    @Test(arguments: ["DPoP", "dpop", "MAC", ""])
    func `a token without a key, or of a type that is not known, is not presented`(_ type: String) async throws {
        let session = try await session(type: type, key: nil)
        #expect(await sessionCode { try await session.perform { _ in .value(1) } } == .unusableToken)
    }

    @Test(arguments: ["{}", "nonsense", "{\"kty\":\"oct\",\"k\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"}"])
    func `a key that cannot sign proofs is told without its text`(_ text: String) async throws {
        let session = try await session(key: text)
        #expect(await sessionCode { try await session.perform { _ in .value(1) } } == .unusableToken)
    }

    @Test func `a bearer token is presented without a proof, whatever keys are held`() async throws {
        let session = try await session(type: "bearer", key: try keyText())
        let fields = try await session.perform { .value(try $0.fields(method: "GET", url: url)) }
        #expect(fields.map(\.name) == ["Authorization"])
        #expect(fields[0].value == "Bearer access-of-alice")
        #expect(!"\(fields)".contains("access-of"))
    }

    @Test func `no token goes out in clear but to this machine`() async throws {
        let session = try await session(type: "Bearer", key: nil)
        let plain = try #require(WebURL("http://api.example/"))
        let local = try #require(WebURL("http://127.0.0.1:8080/"))
        let code = await sessionCode {
            try await session.perform { .value(try $0.fields(method: "GET", url: plain)) }
        }
        #expect(code == .insecureAddress)
        #expect(try await session.perform { .value(try $0.fields(method: "GET", url: local).count) } == 1)
    }

    @Test func `an authorization shows nothing of its token`() async throws {
        let session = try await session(key: try keyText())
        let text = try await session.perform { authorization in
            var text = "\(authorization)"
            dump(authorization, to: &text)
            return .value(text)
        }
        #expect(!text.contains("access-of"))
        let issued = try await session.token()
        var dumped = "\(issued)"
        dump(issued, to: &dumped)
        #expect(!dumped.contains("access-of") && !dumped.contains("refresh-1"))
    }
}
