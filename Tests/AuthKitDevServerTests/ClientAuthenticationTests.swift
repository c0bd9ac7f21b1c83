import AuthKitCore
import AuthKitDevServer
import Testing

@Suite struct ClientAuthenticationTests {
    /// The form-encoded halves of `dev conf:+%` and `ü/&=`, joined and encoded.
    private static let encoded = "ZGV2K2NvbmYlM0ElMkIlMjU6JUMzJUJDJTJGJTI2JTNE"

    private func bench() throws -> IssuerBench {
        try IssuerBench { $0.clients.append(DevClient(id: "dev conf:+%", secret: Secret("ü/&="))) }
    }

    /// How a request for a code that is unknown ends: `invalid_grant` means that the client was let through.
    private func outcome(_ changes: [String: String?], _ fields: [HTTPField] = []) throws -> (Int, String?) {
        let answer = try bench().redeem("unknown", changes, fields: fields)
        return (answer.status, answer.error)
    }

    private func basic(_ text: String) -> [HTTPField] { [HTTPField("Authorization", "Basic \(text)")] }

    @Test func `a public client needs no secret`() throws {
        #expect(try outcome([:]) == (400, "invalid_grant"))
    }

    @Test func `a secret may come in the header`() throws {
        #expect(try outcome(["client_id": nil], [IssuerBench.confidential]) == (400, "invalid_grant"))
    }

    @Test func `the header's halves are form-decoded`() throws {
        #expect(try outcome(["client_id": nil], basic(Self.encoded)) == (400, "invalid_grant"))
    }

    @Test func `a secret may come in the body`() throws {
        #expect(try outcome(["client_id": "dev-conf", "client_secret": "dev-secret"]) == (400, "invalid_grant"))
    }

    @Test func `a wrong, missing or surplus secret is invalid_client`() throws {
        #expect(try outcome(["client_id": "dev-conf", "client_secret": "wrong"]) == (401, "invalid_client"))
        #expect(try outcome(["client_id": "dev-conf"]) == (401, "invalid_client"))
        #expect(try outcome(["client_secret": "dev-secret"]) == (401, "invalid_client"))
        #expect(try outcome(["client_id": "nobody"]) == (401, "invalid_client"))
        #expect(try outcome(["client_id": nil]) == (401, "invalid_client"))
    }

    @Test(arguments: ["ZGV2LWNvbmY6d3Jvbmc=", "!", "ZGV2LWNvbmY", "ZGV2LWNvbmY=", "ZGV2LWNvbmY6ZGV2LXNlY3JldA"])
    func `a header that is no Basic or has another secret is invalid_client`(_ text: String) throws {
        let answer = try bench().redeem("unknown", ["client_id": nil], fields: basic(text))
        #expect(answer.error == "invalid_client")
        #expect(answer.field("WWW-Authenticate")?.hasPrefix("Basic ") == true)
    }

    @Test func `two ways at once or two names are invalid_request`() throws {
        #expect(
            try outcome(["client_id": nil, "client_secret": "dev-secret"], [IssuerBench.confidential]).1
                == "invalid_request"
        )
        #expect(try outcome(["client_id": "dev"], [IssuerBench.confidential]).1 == "invalid_request")
    }
}
