import AuthKitCore
import AuthKitDevServer
import ProviderOIDC
import Testing
import TransportCurl

/// The relying party against a served issuer, with a browser that just fetches the page.
struct ServedParty: Sendable {
    struct FetchingAgent: UserAgent, RedirectReceiver {
        let transport: CurlTransport
        let redirectURI = "dev.authkit.example:/callback"

        func prepare(_ redirects: [String]) -> any RedirectReceiver { self }

        func present(
            _ url: String,
            accepting: @escaping @Sendable (RedirectAnswer) -> Bool
        ) async throws -> RedirectAnswer {
            let answer = try await transport.send(HTTPRequest("GET", try #require(WebURL(url))))
            let location = try #require(answer.fields.first(named: "Location"))
            #expect(location.hasPrefix(redirectURI + "?"))
            let query = try #require(location.split(separator: "?", maxSplits: 1).last)
            let redirect = RedirectAnswer(parameters: try #require(FormEncoding.decode(query)))
            guard accepting(redirect) else { throw AnswerRefused() }
            return redirect
        }

        func finish(_ outcome: SignInOutcome) {}
    }

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
        return try await provider(server).signIn(through: FetchingAgent(transport: transport), in: signIn).credential
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

/// The answer was not taken: a browser would show the 400 page while waiting goes on.
struct AnswerRefused: ProviderFailure {
    var code: String { "answer_refused" }
    var remedy: Remedy { .signInAgain }
    var delivery: Delivery? { nil }
    var description: String { "The answer was refused." }
}
