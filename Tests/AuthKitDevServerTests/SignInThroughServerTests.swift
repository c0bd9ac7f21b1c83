import AuthKitCore
import AuthKitDevServer
import ProviderOIDC
import Testing

/// The relying party against the issuer over sockets.
@Suite struct SignInThroughServerTests {
    private let party = ServedParty()

    @Test func `sign-in, rotation of keys, refresh and revocation work together`() async throws {
        let server = try await DevServer.start()
        let first = try await party.signIn(server)
        #expect(first.account?.subject == "user-alice")
        try server.issuer.rotateKeys(droppingOld: true)
        let second = try await party.renew(first, at: server)
        #expect(second.refreshToken?.value != first.refreshToken?.value)
        #expect(server.issuer.statistics.refreshesGranted == 1)
        let results = try await party.provider(server).revoke(second, in: party.context)
        #expect(!results.isEmpty)
        #expect(server.issuer.statistics.activeFamilies == 0)
        await server.stop()
    }
}
