import AuthKitCore
import AuthKitTesting
import ProviderOIDC
import Testing

/// RFC 8414's document beside OpenID's, looked into where an address is missing.
@Suite struct OAuthDocumentTests {
    private let place = ScriptedIssuer.oauthPlace
    private let other: JSONObject = [
        "issuer": "https://op.example/tenant", "revocation_endpoint": "https://op.example/tenant/revoke",
    ]

    /// A party whose issuer names its revocation endpoint in the other document only.
    private func party(
        _ document: JSONObject?,
        scope: Scope = Scope("openid"),
        change: (inout OIDCConfiguration) -> Void = { _ in }
    ) throws -> RelyingParty {
        let party = try RelyingParty(scope: scope, change: change)
        party.issuer.script { script in
            script.discovery = { $0["revocation_endpoint"] = nil }
            script.oauthDocument = document
        }
        return party
    }

    private func revoke(_ party: RelyingParty, _ held: StoredCredential) async -> [String] {
        let results = await party.provider.revoke(held, in: party.context)
        return results.map { $0.failure == nil ? "revoked" : $0.failure?.code ?? "" }
    }

    @Test func `it is asked by a revocation that needs it, and by nothing before`() async throws {
        let party = try party(other)
        let held = try await party.renew(try await party.signIn())
        _ = try await party.userInfo(held)
        _ = try await party.provider.endSession(held, in: party.context)
        #expect(party.issuer.count(place) == 0)
        #expect(await revoke(party, held) == ["revoked", "revoked"])
        #expect(party.issuer.requests(to: place).map(\.deadline) == [.seconds(5)])
        #expect(party.issuer.count("/tenant/.well-known/openid-configuration") == 1)
    }

    @Test func `it is asked once an hour, whether there is one or not`() async throws {
        for document in [other, nil] {
            let party = try party(document)
            let held = try await party.signIn()
            let first = await revoke(party, held)
            party.issuer.time.advance(by: .seconds(3599))
            #expect(await revoke(party, held) == first)
            #expect(party.issuer.count(place) == 1)
            party.issuer.time.advance(by: .seconds(1))
            #expect(await revoke(party, held) == first)
            #expect(party.issuer.count(place) == 2)
        }
    }

    @Test func `it serves a credential of another process`() async throws {
        let party = try party(other)
        let held = try await party.signIn()
        let later = try RelyingParty(party.issuer, scope: Scope("openid"))
        #expect(await revoke(later, held) == ["revoked", "revoked"])
        #expect(party.issuer.count("/tenant/.well-known/openid-configuration") == 1)
    }

    @Test func `it never replaces what OpenID's document names`() async throws {
        let party = try party(other)
        party.issuer.script { script in
            script.discovery = { $0["revocation_endpoint"] = "https://op.example/tenant/revoke?first" }
        }
        #expect(await revoke(party, try await party.signIn()) == ["revoked", "revoked"])
        #expect(party.issuer.count(place) == 0)
        #expect(party.issuer.requests(to: "/tenant/revoke").first?.url.query == "first")
    }

    @Test func `it never replaces what is given by hand`() async throws {
        let party = try party(other) { $0.endpoints.revocation = "https://op.example/tenant/revoke?given" }
        #expect(await revoke(party, try await party.signIn()) == ["revoked", "revoked"])
        #expect(party.issuer.count(place) == 0)
        #expect(party.issuer.requests(to: "/tenant/revoke").first?.url.query == "given")
    }

    @Test(arguments: ["https://op.example/tenant/", "https://OP.example/tenant", "https://op.example", ""])
    func `nothing of another issuer's is used`(_ named: String) async throws {
        var document = other
        document["issuer"] = .string(named)
        let party = try party(document)
        #expect(await revoke(party, try await party.signIn()) == [])
        #expect(party.issuer.count(place) == 1)
        #expect(party.issuer.count("/tenant/revoke") == 0)
    }

    @Test func `where a full address leaves the slash open, both documents must name the same`() async throws {
        for (named, outcome) in [
            ("https://op.example/tenant/", []), ("https://op.example/tenant", ["revoked", "revoked"]),
        ] {
            var document = other
            document["issuer"] = .string(named)
            let party = try party(document) { $0.issuer = "https://op.example/tenant/.well-known/openid-configuration" }
            #expect(await revoke(party, try await party.signIn()) == outcome)
            #expect(party.issuer.count(place) == 1)
        }
    }

    @Test(arguments: ["http://op.example/tenant/revoke", "http://127.0.0.1/tenant/revoke", "file:///tenant/revoke"])
    func `an insecure endpoint of it is left out`(_ address: String) async throws {
        var document = other
        document["revocation_endpoint"] = .string(address)
        let party = try party(document)
        #expect(await revoke(party, try await party.signIn()) == [])
        #expect(party.issuer.count(place) == 1)
        #expect(party.issuer.count("/tenant/revoke") == 0)
    }

    @Test(arguments: [(404, "{}"), (403, "{}"), (503, "{}"), (200, "<html>"), (200, "[]")])
    func `that it cannot be had is no error`(_ status: Int, _ body: String) async throws {
        let party = try party(other)
        let held = try await party.signIn()
        let place = place
        party.issuer.script { script in
            script.replace = { path, response in
                var response = response
                if path == place {
                    response.status = status
                    response.body = Array(body.utf8)
                }
                return response
            }
        }
        #expect(await revoke(party, held) == [])
        party.issuer.script { $0.replace = { $1 } }
        // Only "not now" is asked again.
        #expect(await revoke(party, held) == (status == 503 ? ["revoked", "revoked"] : []))
    }

    @Test func `that nobody answers is no error, and it is asked again`() async throws {
        let party = try party(other)
        let held = try await party.signIn()
        party.issuer.script { [place] in $0.unreachable = place }
        #expect(await revoke(party, held) == [])
        party.issuer.script { $0.unreachable = nil }
        #expect(await revoke(party, held) == ["revoked", "revoked"])
    }

    @Test func `a cancelled look-up is not passed over`() async throws {
        let party = try party(other)
        let held = try await party.signIn()
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return await revoke(party, held)
        }
        #expect(await task.value == ["unavailable"])
    }

    @Test func `an endpoint that is gone is looked for anew`() async throws {
        let party = try party(other)
        let held = try await party.signIn()
        party.issuer.script { [other] script in
            var moved = other
            moved["revocation_endpoint"] = "https://op.example/tenant/moved"
            script.oauthDocument = moved
        }
        #expect(await revoke(party, held).contains("revoked") == false)
        party.issuer.script { [other] in $0.oauthDocument = other }
        #expect(await revoke(party, held) == ["revoked", "revoked"])
    }

    @Test func `where it was read already, it is not asked again`() async throws {
        var document: JSONObject = ["issuer": "https://op.example/tenant"]
        document["authorization_endpoint"] = "https://op.example/tenant/authorize"
        document["token_endpoint"] = "https://op.example/tenant/token"
        let party = try party(document, scope: Scope("read"))
        let held = try await party.signIn()
        #expect(await revoke(party, held) == [])
        #expect(await revoke(try RelyingParty(party.issuer, scope: Scope("read")), held) == [])
        #expect(party.issuer.count(place) == 1)
    }

    @Test func `where it was looked for in vain before OpenID's, it is not asked again`() async throws {
        let party = try party(nil, scope: Scope("read"))
        #expect(await revoke(party, try await party.signIn()) == [])
        #expect(party.issuer.count(place) == 1)
    }

    @Test func `nothing is looked for when every endpoint is given`() async throws {
        let party = try party(other) { configuration in
            configuration.endpoints.authorization = "https://op.example/tenant/authorize"
            configuration.endpoints.token = "https://op.example/tenant/token"
            configuration.endpoints.jwksURI = "https://op.example/tenant/jwks"
        }
        #expect(await revoke(party, try await party.signIn()) == [])
        #expect(party.issuer.count(place) == 0)
    }
}
