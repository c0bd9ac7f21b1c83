import AuthKitCore
import ProviderOIDC
import Testing

@Suite struct RevocationTests {
    private func revoke(
        _ status: Int = 200,
        _ body: String = "",
        discovery: @escaping @Sendable (inout JSONObject) -> Void = { _ in }
    ) async throws -> (results: [RevocationResult], issuer: ScriptedIssuer) {
        let party = try RelyingParty()
        party.issuer.script { $0.discovery = discovery }
        let held = try await party.signIn()
        party.issuer.script { script in
            script.replace = { path, response in
                var response = response
                if path == "/tenant/revoke" {
                    response.status = status
                    response.body = Array(body.utf8)
                    if status == 503 { response.fields.append(HTTPField("Retry-After", "7")) }
                }
                return response
            }
        }
        return (await party.provider.revoke(held, in: party.context), party.issuer)
    }

    @Test func `the refresh token goes first, then the access token`() async throws {
        let (results, issuer) = try await revoke()
        #expect(results.map(\.subject) == ["refresh token", "access token"])
        #expect(results.allSatisfy { $0.failure == nil })
        let requests = issuer.requests(to: "/tenant/revoke")
        let forms = requests.map { ScriptedIssuer.form(of: $0) }
        #expect(forms.map { $0["token"] } == ["refresh-0", "access-0"])
        #expect(forms.map { $0["token_type_hint"] } == ["refresh_token", "access_token"])
        #expect(requests.allSatisfy { $0.fields.first(named: "authorization")?.hasPrefix("Basic ") == true })
        #expect(requests.allSatisfy { $0.deadline == .seconds(5) && $0.carriesCredential })
    }

    @Test func `a failure of one step does not stop the next`() async throws {
        let (results, issuer) = try await revoke(503)
        #expect(results.map { $0.failure?.remedy } == [.retry(after: .seconds(7)), .retry(after: .seconds(7))])
        #expect(issuer.count("/tenant/revoke") == 2)
    }

    @Test func `an issuer that does not revoke access tokens is no failure`() async throws {
        let (results, _) = try await revoke(400, #"{"error":"unsupported_token_type"}"#)
        #expect(results.map(\.subject) == ["refresh token"])
        #expect(results.first?.failure?.issuerError?.error == "unsupported_token_type")
    }

    @Test func `an outage is a failure whatever its body says`() async throws {
        let (results, _) = try await revoke(503, #"{"error":"unsupported_token_type"}"#)
        #expect(results.map { $0.failure?.code } == ["unavailable", "unavailable"])
    }

    @Test func `without an endpoint there is nothing to do`() async throws {
        let (results, issuer) = try await revoke { $0["revocation_endpoint"] = nil }
        #expect(results.isEmpty)
        #expect(issuer.count("/tenant/revoke") == 0)
    }
}
