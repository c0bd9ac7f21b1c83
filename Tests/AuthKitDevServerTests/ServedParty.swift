import AuthKitCore
import AuthKitDevServer
import AuthKitTesting
import ProviderOIDC
import TransportCurl

/// The relying party against a served issuer, with a browser that just fetches the page.
struct ServedParty: Sendable {
    private let transport = CurlTransport()

    func provider(_ server: DevServer) throws -> OIDCProvider {
        let configuration = OIDCConfiguration(
            issuer: server.issuer.url,
            clientID: "dev",
            scope: Scope("openid profile email offline_access"),
            redirectURIs: ["dev.authkit.example:/callback"]
        )
        return try OIDCProvider(configuration, transport: transport)
    }

    var context: ProviderContext {
        ProviderContext(time: SystemTime(), deadline: Deadline(.seconds(30), from: SystemTime().now))
    }

    func signIn(_ server: DevServer) async throws -> StoredCredential {
        let id = CredentialID(provider: .oidc, issuer: server.issuer.url, client: "dev", slot: "test")
        let blank = StoredCredential(id: id, incarnation: try Incarnation.draw(), state: .signedIn)
        let signIn = SignInContext(base: context, blank: blank, previous: nil) {}
        let agent = FetchingUserAgent(redirectURI: "dev.authkit.example:/callback", transport: transport)
        return try await provider(server).signIn(through: agent, in: signIn).credential
    }

    func renew(_ held: StoredCredential, at server: DevServer) async throws -> StoredCredential {
        let renewal = RenewalContext(base: context, willSendOneTime: { _ in 0 }, commit: { _ in })
        switch try await provider(server).renew(held, for: TokenRequest(reason: .forced), in: renewal) {
        case .renewed(let credential): return credential
        case .declined(let reason): throw Refusal(reason: reason)
        }
    }

    struct Refusal: Error { let reason: String }
}
