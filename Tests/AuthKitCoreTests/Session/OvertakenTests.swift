import AuthKitCore
import AuthKitTesting
import Testing

/// A renewal whose record is changed by somebody else while the answer is on its way, or by its own provider.
@Suite struct OvertakenTests {
    /// Renews while somebody saves another credential, and gives what the caller is told.
    private func renew(
        _ rig: SessionRig,
        meanwhile change: @escaping @Sendable (inout StoredCredential) throws -> Void
    ) async throws -> SessionError.Code? {
        try await rig.signInAndExpire()
        var provider = rig.provider()
        provider.beforeAnswer = {
            let vault = try await rig.vault()
            guard let entry = try await vault.load(rig.id) else { return }
            var credential = entry.credential
            try change(&credential)
            try await vault.save(credential, replacing: entry.version)
        }
        let session = try await rig.session(provider)
        return await sessionCode { try await session.token() }
    }

    @Test func `a new sign-in that was given the same refresh token is not overwritten`() async throws {
        let rig = SessionRig()
        let told = try await renew(rig) { credential in
            credential.incarnation = try .draw()
            credential.account = Account(issuer: "memory", subject: "bob", displayName: "bob")
        }
        #expect(told == .superseded)
        #expect(try await rig.stored()?.account?.subject == "bob")
        #expect(try await rig.stored()?.refreshToken?.value.reveal() == "refresh-1")
    }

    @Test func `a refresh token that somebody else has put in meanwhile is not overwritten`() async throws {
        let rig = SessionRig()
        let told = try await renew(rig) { $0.refreshToken = HeldToken(Secret("sibling-refresh")) }
        #expect(told == .superseded)
        #expect(try await rig.stored()?.refreshToken?.value.reveal() == "sibling-refresh")
    }

    @Test func `a change that leaves the refresh token does not lose the answer`() async throws {
        let rig = SessionRig()
        #expect(try await renew(rig) { $0.attributes["note"] = "x" } == nil)
        #expect(try await rig.stored()?.refreshToken?.value.reveal() == "refresh-2")
    }

    /// Gives back a credential of an incarnation of its own making, with an intent that nobody had.
    private struct MeddlingProvider: TokenProvider {
        let base: MemoryProvider
        var kind: ProviderKind { base.kind }
        var traits: ProviderTraits { base.traits }

        func renew(
            _ held: StoredCredential,
            for request: TokenRequest,
            in context: RenewalContext
        ) async throws -> Renewal {
            guard case .renewed(var credential) = try await base.renew(held, for: request, in: context) else {
                throw MemoryFailure(code: "declined", remedy: .retry(after: nil), delivery: .answered)
            }
            credential.incarnation = try .draw()
            credential.intents[TokenFingerprint(of: Secret("x"))] = Intent(sends: 1, at: context.base.time.now.wall)
            return .renewed(credential)
        }

        func revoke(_ held: StoredCredential, in context: ProviderContext) async -> [RevocationResult] { [] }
    }

    @Test func `a provider changes neither incarnation nor intents`() async throws {
        let rig = SessionRig()
        try await rig.signInAndExpire()
        let before = try await rig.stored()?.incarnation
        let provider = MeddlingProvider(base: rig.provider())
        let session = Session(rig.id, provider: provider, vault: try await rig.vault(), time: rig.time)
        #expect(try await session.token().token.value.reveal() == "access-2")
        #expect(try await rig.stored()?.incarnation == before)
        #expect(try await rig.stored()?.intents.isEmpty == true)
    }
}
