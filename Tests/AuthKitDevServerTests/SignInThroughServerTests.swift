import AuthKitCore
import AuthKitDevServer
import ProviderOIDC
import Testing
import TransportCurl

/// The relying party against the issuer over sockets, with a browser that just fetches the page.
@Suite struct SignInThroughServerTests {
    private struct FetchingAgent: UserAgent, RedirectReceiver {
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
            guard accepting(redirect) else { throw Refusal(reason: "the answer was not taken") }
            return redirect
        }

        func finish(_ outcome: SignInOutcome) {}
    }

    private let transport = CurlTransport()

    private func provider(_ server: DevServer) throws -> OIDCProvider {
        let configuration = OIDCConfiguration(
            issuer: server.issuer.url,
            clientID: "dev",
            scope: Scope("openid profile email offline_access"),
            redirectURIs: ["dev.authkit.example:/callback"]
        )
        return try OIDCProvider(configuration, transport: transport)
    }

    private var context: ProviderContext {
        ProviderContext(time: SystemTime(), deadline: Deadline(.seconds(30), from: SystemTime().now))
    }

    private func signIn(_ server: DevServer) async throws -> StoredCredential {
        let id = CredentialID(provider: .oidc, issuer: server.issuer.url, client: "dev", slot: "test")
        let blank = StoredCredential(id: id, incarnation: try Incarnation.draw(), state: .signedIn)
        let signIn = SignInContext(base: context, blank: blank, previous: nil) {}
        return try await provider(server).signIn(through: FetchingAgent(transport: transport), in: signIn).credential
    }

    private func renew(_ held: StoredCredential, at server: DevServer) async throws -> StoredCredential {
        let renewal = RenewalContext(base: context, willSendOneTime: { _ in 0 }, commit: { _ in })
        switch try await provider(server).renew(held, for: TokenRequest(reason: .forced), in: renewal) {
        case .renewed(let credential): return credential
        case .declined(let reason): throw Refusal(reason: reason)
        }
    }

    private struct Refusal: Error { let reason: String }

    @Test func `sign-in, rotation of keys, refresh and revocation work together`() async throws {
        let server = try await DevServer.start()
        let first = try await signIn(server)
        #expect(first.account?.subject == "user-alice")
        try server.issuer.rotateKeys(droppingOld: true)
        let second = try await renew(first, at: server)
        #expect(second.refreshToken?.value != first.refreshToken?.value)
        #expect(server.issuer.statistics.refreshesGranted == 1)
        let results = try await provider(server).revoke(second, in: context)
        #expect(!results.isEmpty)
        #expect(server.issuer.statistics.activeFamilies == 0)
        await server.stop()
    }

    @Test(arguments: [
        Fault(.discovery, .wrongIssuer), Fault(.authorize, .wrongState), Fault(.authorize, .wrongIss),
        Fault(.authorize, .missingIss), Fault(.token, .wrongNonce), Fault(.token, .badSignature),
        Fault(.token, .unsigned),
        Fault(.token, .wrongAccessTokenHash), Fault(.token, .expired), Fault(.token, .page),
        Fault(.token, .wrongAudience),
    ])
    func `each fault makes a sign-in fail`(_ fault: Fault) async throws {
        var options = DevIssuerOptions()
        options.algorithm = .es256
        options.hasKeyForEachAlgorithm = false
        options.faults = [fault]
        let server = try await DevServer.start(options: options)
        await #expect(throws: (any Error).self) { try await signIn(server) }
        #expect(server.issuer.statistics.faults.values.reduce(0, +) == 1)
        await server.stop()
    }
}
