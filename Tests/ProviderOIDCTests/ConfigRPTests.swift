import AuthKitCore
import ProviderOIDC
import Testing

/// The modules of the certification plan `oidcc-client-config-certification-test-plan`.
@Suite struct ConfigRPTests {
    @Test func `oidcc-client-test-discovery-openid-config: fetches the document`() async throws {
        let party = try RelyingParty()
        _ = try await party.signIn()
        #expect(party.issuer.count("/tenant/.well-known/openid-configuration") == 1)
    }

    @Test func `oidcc-client-test-discovery-jwks-uri-keys: uses the published address of the keys`() async throws {
        let party = try RelyingParty()
        party.issuer.withState { $0.keysSuffix = "-7f3a" }
        _ = try await party.signInAndReadUserInfo()
        let paths = party.issuer.withState { $0.seen.map(\.path) }
        let keys = try #require(paths.firstIndex(of: "/tenant/jwks-7f3a"))
        let userInfo = try #require(paths.firstIndex(of: "/tenant/userinfo"))
        #expect(keys < userInfo)
        #expect(paths.first == "/tenant/.well-known/openid-configuration")
    }

    @Test func `oidcc-client-test-discovery-issuer-mismatch: stops before the browser`() async throws {
        let party = try RelyingParty()
        party.issuer.script { $0.discovery = { $0["issuer"] = "https://op.example/tenantINVALID" } }
        #expect(await code { try await party.signIn() } == .issuerMismatch)
        #expect(party.agent.urls == [])
        #expect(party.issuer.count("/tenant/token") == 0)
    }

    @Test func `oidcc-client-test-idtoken-sig-none: refuses an unsigned ID token`() async throws {
        let party = try RelyingParty()
        party.issuer.script { script in
            script.header = { $0["alg"] = "none" }
            script.idToken = { $0.split(separator: ".").prefix(2).joined(separator: ".") + "." }
        }
        #expect(await code { try await party.signInAndReadUserInfo() } == .invalidIDToken)
        #expect(party.issuer.count("/tenant/userinfo") == 0)
    }

    @Test func `oidcc-client-test-signing-key-rotation-just-before-signing: fetches the keys again`() async throws {
        let party = try RelyingParty()
        _ = try await party.signInAndReadUserInfo()
        party.issuer.script { $0.rotatesBeforeSigning = true }
        _ = try await party.signInAndReadUserInfo()
        #expect(party.issuer.count("/tenant/jwks") == 2)
        #expect(party.issuer.count("/tenant/userinfo") == 2)
    }

    @Test func `oidcc-client-test-signing-key-rotation: the second sign-in fetches the new keys`() async throws {
        let party = try RelyingParty()
        _ = try await party.signInAndReadUserInfo()
        party.issuer.use(keys: [.otherRSA])
        _ = try await party.signInAndReadUserInfo()
        #expect(party.issuer.count("/tenant/jwks") == 2)
        #expect(party.issuer.count("/tenant/userinfo") == 2)
    }
}
