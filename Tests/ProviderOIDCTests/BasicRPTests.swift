import AuthKitCore
import ProviderOIDC
import Testing

/// The modules of the certification plan `oidcc-client-basic-certification-test-plan`; to refuse is to make no further
/// request, so the requests are counted.
@Suite struct BasicRPTests {
    /// Signs in at an issuer that misbehaves and expects a refusal without a call of UserInfo.
    private func refused(_ change: (inout ScriptedIssuer.Script) -> Void) async throws -> OIDCError.Code? {
        let party = try RelyingParty()
        party.issuer.script(change)
        let reason = await code { try await party.signInAndReadUserInfo() }
        #expect(party.issuer.count("/tenant/token") == 1)
        #expect(party.issuer.count("/tenant/userinfo") == 0)
        guard case .failed(let message)? = party.agent.outcomes.last else {
            Issue.record("the person was not told")
            return reason
        }
        #expect(message.hasSuffix("."))
        return reason
    }

    @Test func `oidcc-client-test: signs in and reads UserInfo`() async throws {
        let party = try RelyingParty()
        let (credential, claims) = try await party.signInAndReadUserInfo()
        #expect(claims["email"] == "ada@op.example")
        #expect(credential.account == Account(issuer: party.issuer.issuer, subject: "subject-1", displayName: "ada"))
        #expect(credential.accessTokens[.primary]?.value == Secret("access-0"))
        #expect(credential.refreshToken?.value == Secret("refresh-0"))
        #expect(credential.idToken != nil)
        #expect(party.issuer.faults == [])
        #expect(party.agent.outcomes == [])
    }

    @Test func `oidcc-client-test-invalid-iss: refuses another issuer`() async throws {
        #expect(try await refused { $0.claims = { $0["iss"] = "https://op.example/tenant1" } } == .invalidIDToken)
    }

    @Test func `oidcc-client-test-missing-sub: refuses an ID token without subject`() async throws {
        #expect(try await refused { $0.claims = { $0["sub"] = nil } } == .invalidIDToken)
    }

    @Test func `oidcc-client-test-invalid-aud: refuses another audience`() async throws {
        #expect(try await refused { $0.claims = { $0["aud"] = "client-11" } } == .invalidIDToken)
    }

    @Test func `oidcc-client-test-missing-iat: refuses an ID token without iat`() async throws {
        #expect(try await refused { $0.claims = { $0["iat"] = nil } } == .invalidIDToken)
    }

    @Test func `oidcc-client-test-kid-absent-single-jwks: finds the one fitting key without kid`() async throws {
        let party = try RelyingParty()
        party.issuer.use(keys: [.rsa], decoys: TestKey.decoys)
        party.issuer.script { $0.omitsKeyID = true }
        _ = try await party.signInAndReadUserInfo()
        #expect(party.issuer.count("/tenant/userinfo") == 1)
    }

    @Test func `oidcc-client-test-kid-absent-multiple-jwks: tries each fitting key without kid`() async throws {
        let party = try RelyingParty()
        party.issuer.use(keys: [.otherRSA, .thirdRSA, .rsa], signer: .rsa, decoys: TestKey.decoys)
        party.issuer.script { $0.omitsKeyID = true }
        _ = try await party.signInAndReadUserInfo()
        #expect(party.issuer.count("/tenant/userinfo") == 1)
    }

    @Test func `oidcc-client-test-idtoken-sig-rs256: accepts RS256`() async throws {
        let party = try RelyingParty()
        party.issuer.script { $0.discovery = { $0["id_token_signing_alg_values_supported"] = ["RS256"] } }
        _ = try await party.signInAndReadUserInfo()
        #expect(party.issuer.count("/tenant/userinfo") == 1)
    }

    @Test func `oidcc-client-test-idtoken-sig-none: refuses an unsigned ID token`() async throws {
        let reason = try await refused { script in
            script.header = { $0 = ["alg": "none"] }
            script.idToken = { $0.split(separator: ".").prefix(2).joined(separator: ".") + "." }
        }
        #expect(reason == .invalidIDToken)
    }

    @Test func `oidcc-client-test-invalid-sig-rs256: refuses a signature with every byte flipped`() async throws {
        let reason = try await refused { script in
            script.idToken = { token in
                let parts = token.split(separator: ".")
                // Left as it is, the token would be accepted and the test fail.
                guard let signature = try? Base64URL.decode(parts[2]), !signature.isEmpty else { return token }
                return "\(parts[0]).\(parts[1]).\(Base64URL.encode(signature.map { $0 ^ 0x5A }))"
            }
        }
        #expect(reason == .invalidIDToken)
    }

    @Test func `oidcc-client-test-userinfo-invalid-sub: refuses UserInfo of another subject`() async throws {
        let party = try RelyingParty()
        party.issuer.script { $0.userInfo = { $0["sub"] = "subject-1invalid" } }
        #expect(await code { try await party.signInAndReadUserInfo() } == .wrongSubject)
        party.issuer.script { $0.userInfo = { $0["sub"] = nil } }
        #expect(await code { try await party.signInAndReadUserInfo() } == .wrongSubject)
    }

    @Test func `oidcc-client-test-nonce-invalid: refuses another nonce, and none`() async throws {
        let reason = try await refused { script in
            script.claims = { claims in
                claims["nonce"] = claims["nonce"]?.string.map { .string($0 + "1") }
            }
        }
        #expect(reason == .invalidIDToken)
        #expect(try await refused { $0.claims = { $0["nonce"] = nil } } == .invalidIDToken)
    }

    @Test func `oidcc-client-test-scope-userinfo-claims: asks for scopes and reads their claims`() async throws {
        let party = try RelyingParty(scope: Scope("openid profile email"))
        let (_, claims) = try await party.signInAndReadUserInfo()
        #expect(party.issuer.lastAuthorization.first { $0.name == "scope" }?.value == "openid profile email")
        #expect(claims["name"] == "Ada")
    }

    @Test func `oidcc-client-test-client-secret-basic: authenticates with form-encoded halves`() async throws {
        let issuer = ScriptedIssuer(clientID: "client:1 +/%", secret: "a:b c+/%é")
        let party = try RelyingParty(issuer)
        _ = try await party.signInAndReadUserInfo()
        let request = try #require(issuer.requests(to: "/tenant/token").first)
        let form = ScriptedIssuer.form(of: request)
        #expect(form["client_secret"] == nil)
        #expect(issuer.count("/tenant/userinfo") == 1)
    }
}
