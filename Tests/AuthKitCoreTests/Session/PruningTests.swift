import AuthKitTesting
import Testing

@testable import AuthKitCore

@Suite struct PruningTests {
    private let now = Moment(wall: WallTime(seconds: 1_800_000_000), sinceBoot: .seconds(60), boot: "b")

    private func credential(_ tokens: [AccessTokenKey: HeldToken]) throws -> StoredCredential {
        let id = CredentialID(provider: .oidc, issuer: "i", client: "c", slot: "s")
        var credential = StoredCredential(id: id, incarnation: try .draw(), state: .signedIn)
        credential.accessTokens = tokens
        return credential
    }

    @Test func `tokens that have ended go, the primary and the one asked for stay`() throws {
        let ended = HeldToken(Secret("t"), expiry: .at(now.wall - .seconds(1)))
        let asked = AccessTokenKey(audience: "asked")
        var credential = try credential([
            .primary: ended, asked: ended, AccessTokenKey(audience: "old"): ended,
            AccessTokenKey(audience: "lives"): HeldToken(Secret("t"), expiry: .never),
        ])
        credential.dropEndedAccessTokens(except: asked, at: now)
        #expect(Set(credential.accessTokens.keys.map(\.audience)) == [nil, "asked", "lives"])
    }

    @Test func `of too many those that end last are kept`() throws {
        var tokens: [AccessTokenKey: HeldToken] = [:]
        for number in 1...100 {
            let expiry = Expiry.after(.seconds(number), from: now)
            tokens[AccessTokenKey(audience: "\(number)")] = HeldToken(Secret("t"), expiry: expiry)
        }
        var credential = try credential(tokens)
        credential.dropEndedAccessTokens(except: .primary, at: now)
        #expect(Set(credential.accessTokens.keys.compactMap { $0.audience.flatMap { Int($0) } }) == Set(69...100))
    }
}
