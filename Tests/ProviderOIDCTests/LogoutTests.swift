import AuthKitCore
import ProviderOIDC
import Testing

@Suite struct LogoutTests {
    private func endSession(
        _ edit: (inout StoredCredential) -> Void = { _ in },
        discovery: @escaping @Sendable (inout JSONObject) -> Void = { _ in }
    ) async throws -> (request: EndSessionRequest?, idToken: String) {
        let party = try RelyingParty { $0.postLogoutRedirectURI = "http://127.0.0.1:0/bye" }
        party.issuer.script { $0.discovery = discovery }
        var held = try await party.signIn()
        let idToken = held.idToken?.value.reveal() ?? ""
        edit(&held)
        return (try await party.provider.endSession(held, in: party.context), idToken)
    }

    private func parameters(_ url: String) throws -> [String: String] {
        let parameters = try #require(WebURL(url)?.queryParameters)
        #expect(Set(parameters.map(\.name)).count == parameters.count)
        return Dictionary(parameters.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    @Test func `carries the ID token, the client and the way back`() async throws {
        let (request, idToken) = try await endSession()
        let sent = try parameters(try #require(request).address.reveal())
        #expect(sent["id_token_hint"] == idToken)
        #expect(sent["client_id"] == "client-1")
        #expect(sent["post_logout_redirect_uri"] == "http://127.0.0.1:0/bye")
        #expect(sent["state"]?.isEmpty == false)
    }

    @Test func `the state of the way back is told, and drawn anew each time`() async throws {
        let request = try #require(try await endSession().request)
        let state = try #require(request.state?.reveal())
        #expect(try parameters(request.address.reveal())["state"] == state)
        #expect(try parameters(request.printable)["state"] == state)
        #expect(state.count == 22)
        #expect(try await endSession().request?.state?.reveal() != state)
    }

    @Test func `without a way back there is no state`() async throws {
        let party = try RelyingParty()
        let request = try #require(try await party.provider.endSession(try await party.signIn(), in: party.context))
        #expect(request.state == nil)
        #expect(try parameters(request.address.reveal())["state"] == nil)
    }

    @Test func `discovery takes five seconds at most`() async throws {
        let party = try RelyingParty()
        _ = try await party.provider.endSession(try party.blank(), in: party.context)
        let requests = party.issuer.requests(to: "/tenant/.well-known/openid-configuration")
        #expect(requests.map(\.deadline) == [.seconds(5)])
    }

    @Test func `what may be printed has no ID token`() async throws {
        let (request, idToken) = try await endSession()
        let printable = try #require(request).printable
        #expect(try parameters(printable)["id_token_hint"] == nil)
        #expect(!printable.contains(idToken))
        #expect(printable.hasPrefix("https://op.example/tenant/logout?client_id=client-1&"))
    }

    @Test func `without an ID token the client stands for it`() async throws {
        let (request, _) = try await endSession { $0.idToken = nil }
        let sent = try parameters(try #require(request).address.reveal())
        #expect(sent["id_token_hint"] == nil)
        #expect(sent["client_id"] == "client-1")
        #expect(sent["post_logout_redirect_uri"] == "http://127.0.0.1:0/bye")
    }

    @Test func `an issuer without such an endpoint has no address`() async throws {
        let (request, _) = try await endSession(discovery: { $0["end_session_endpoint"] = nil })
        #expect(request == nil)
    }
}
