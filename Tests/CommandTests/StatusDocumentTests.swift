import AuthKitCore
import Testing

@testable import authkit_cli

@Suite struct StatusDocumentTests {
    private func status(
        due: WallTime?,
        ahead: Duration? = nil,
        _ change: (inout StoredCredential) -> Void = { _ in }
    ) async throws -> StatusDocument {
        let id = CredentialID(provider: .oidc, issuer: "https://id.example", client: "me", slot: "work")
        var credential = StoredCredential(id: id, incarnation: try .draw(), state: .signedIn)
        credential.refreshToken = HeldToken(Secret("r"))
        let end = Self.now.wall + .seconds(600)
        credential.accessTokens[.primary] = HeldToken(Secret("a"), type: "Bearer", expiry: .at(end))
        credential.clockOffset = ahead
        change(&credential)
        let vault = try await Vault.inMemory()
        try await vault.save(credential, replacing: nil, due: due)
        return StatusDocument(
            name: "work",
            provider: "oidc",
            summary: try await vault.summary(of: id),
            isRenewing: false,
            now: Self.now
        )
    }

    private static let now = SystemTime().now

    @Test func `ends are told on this machine's clock, as a session judges them`() async throws {
        let status = try await status(due: nil, ahead: .seconds(300))
        let document = status.document(withTokens: true)
        #expect(document["tokens"]?.array?.first?["expires_in"]?.int64 == 300)
        #expect(document["clock_offset"]?.int64 == 300)
        #expect(status.document(withTokens: false)["expires_in"]?.int64 == 300)
        #expect(document["next_refresh_at"]?.string == (Self.now.wall + .seconds(240)).description)
        #expect(status.accessExpiry.wallTime(at: Self.now) == Self.now.wall + .seconds(300))
        #expect(status.text.contains("5 min 0 s left"))
    }

    @Test func `the next refresh is when it is due or near its end, and at once when that has passed`() async throws {
        let due = WallTime(seconds: Self.now.wall.seconds + 77)
        let later = try await status(due: due)
        #expect(later.document(withTokens: true)["next_refresh_at"]?.string == due.description)
        #expect(later.text.contains("due for a refresh at \(due)"))
        let past = try await status(due: WallTime(seconds: Self.now.wall.seconds - 77))
        #expect(past.nextRefresh == Self.now.wall)
        let late = try await status(due: WallTime(seconds: Self.now.wall.seconds + 590))
        #expect(late.nextRefresh == Self.now.wall + .seconds(540))
        #expect(late.text.contains("refreshed when asked for after"))
        let unplanned = try await status(due: nil)
        #expect(unplanned.nextRefresh == Self.now.wall + .seconds(540))
        #expect(unplanned.text.contains("refreshed when asked for after"))
        let ended = try await status(due: due) { $0.state = .needsSignIn }
        #expect(ended.document(withTokens: true)["next_refresh_at"]?.isNull == true)
    }

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
