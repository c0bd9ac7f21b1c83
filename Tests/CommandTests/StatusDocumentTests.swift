import AuthKitCore
import Testing

@testable import authkit_cli

@Suite struct StatusDocumentTests {
    @Test func `an access token for another audience says for what it is`() throws {
        let id = CredentialID(provider: .oidc, issuer: "https://id.example", client: "me", slot: "work")
        var credential = StoredCredential(id: id, incarnation: try .draw(), state: .signedIn)
        credential.accessTokens[.primary] = HeldToken(Secret("a"), type: "Bearer", expiry: .never)
        let other = AccessTokenKey(audience: "https://api.example")
        credential.accessTokens[other] = HeldToken(Secret("b"), type: "Bearer", expiry: .never)
        let status = StatusDocument(
            name: "work",
            provider: "oidc",
            summary: CredentialSummary(of: credential),
            isRenewing: false,
            now: SystemTime().now
        )
        #expect(status.text.contains("\naccess token: without end\n"))
        #expect(status.text.contains("\naccess token for https://api.example: without end\n"))
        #expect(status.document(withTokens: true)["tokens"]?.array?.last?["for"]?.string == "https://api.example")
    }
}
