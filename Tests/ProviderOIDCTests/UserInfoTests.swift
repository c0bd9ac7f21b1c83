import AuthKitCore
import ProviderOIDC
import Testing

@Suite struct UserInfoTests {
    private func answered(_ status: Int, _ type: String, _ body: String) async throws -> OIDCError {
        let party = try RelyingParty()
        let credential = try await party.signIn()
        party.issuer.script { script in
            script.replace = { _, response in
                var response = response
                response.status = status
                response.fields = [HTTPField("Content-Type", type)]
                response.body = Array(body.utf8)
                return response
            }
        }
        return try await failure { try await party.userInfo(credential) }
    }

    @Test func `the token goes in the header and nowhere else`() async throws {
        let party = try RelyingParty()
        _ = try await party.signInAndReadUserInfo()
        let request = try #require(party.issuer.requests(to: "/tenant/userinfo").first)
        #expect(request.method == "GET")
        #expect(request.fields.all(named: "authorization") == ["Bearer access-0"])
        #expect(request.fields.filter(\.isSecret).count == 1)
        #expect(request.url.query == nil)
        #expect(request.body == nil)
        #expect(request.redirects == .never)
    }

    @Test func `401 names the refused token`() async throws {
        let error = try await answered(401, "application/json", "{}")
        #expect(error.reason == .accessRejected)
        #expect(error.rejected == TokenFingerprint(of: Secret("access-0")))
    }

    @Test func `a signed answer is refused by name`() async throws {
        let error = try await answered(200, "application/jwt", "a.b.c")
        #expect(error.reason == .unsupported)
        #expect(error.detail.contains("application/jwt"))
    }

    @Test(arguments: [
        (200, "text/html", "<html>", OIDCError.Code.malformedAnswer),
        (200, "application/json", "[1]", .malformedAnswer),
        (200, "application/json", "{}", .wrongSubject),
        (200, "application/json", #"{"sub":""}"#, .wrongSubject),
        (503, "text/html", "<html>", .unavailable),
        (403, "application/json", "{}", .tokenRefused),
    ])
    func `anything but claims of the same person is refused`(
        _ status: Int,
        _ type: String,
        _ body: String,
        _ code: OIDCError.Code
    ) async throws {
        #expect(try await answered(status, type, body).reason == code)
    }

    @Test func `without an endpoint it says so`() async throws {
        let party = try RelyingParty()
        party.issuer.script { $0.discovery = { $0["userinfo_endpoint"] = nil } }
        #expect(await code { try await party.signInAndReadUserInfo() } == .missingEndpoint)
    }
}
