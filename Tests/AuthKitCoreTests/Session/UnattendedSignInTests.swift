import AuthKitCore
import AuthKitTesting
import Testing

/// Where nobody has to sign in: beginning anew after a sign-out, and tokens of a key that was replaced.
@Suite(.timeLimit(.minutes(1))) struct UnattendedSignInTests {
    /// A key that may be replaced, and how many tokens were made of it.
    private final class KeyRing: Sendable {
        let key = Guarded("first")
        let made = Guarded(0)
    }

    /// Makes a token of the ring's key.
    private struct KeyProvider: TokenProvider {
        let ring = KeyRing()
        var failure: MemoryFailure?
        var beforeAnswer: @Sendable () async throws -> Void = {}
        var kind: ProviderKind { ProviderKind("memory") }
        var traits: ProviderTraits { ProviderTraits(needsSignIn: false) }

        func renew(
            _ held: StoredCredential,
            for request: TokenRequest,
            in context: RenewalContext
        ) async throws -> Renewal {
            try await beforeAnswer()
            if let failure { throw failure }
            let number = ring.made.withLock { made in
                made += 1
                return made
            }
            let key = ring.key.withLock { $0 }
            var credential = held
            credential.accessTokens[request.key] = HeldToken(
                Secret("\(key)-\(number)"),
                expiry: .after(.seconds(3600), from: context.base.time.now)
            )
            credential.attributes["key"] = key
            credential.renewedAt = context.base.time.now
            return .renewed(credential)
        }

        func isCurrent(_ held: StoredCredential) -> Bool {
            held.attributes["key"].map { stored in ring.key.withLock { $0 } == stored } ?? true
        }

        func revoke(_ held: StoredCredential, in context: ProviderContext) async -> [RevocationResult] { [] }
    }

    private let rig = SessionRig()

    private func session(_ provider: any TokenProvider) async throws -> Session {
        Session(rig.id, provider: provider, vault: try await rig.vault(), time: rig.time)
    }

    @Test func `after a sign-out nothing comes until it begins anew`() async throws {
        let provider = KeyProvider()
        let session = try await session(provider)
        #expect(try await session.token().token.value == Secret("first-1"))
        _ = try await session.signOut()
        #expect(await sessionCode { try await session.token() } == .signedOut)
        let report = try await session.signIn()
        #expect(report.expiry.remaining(at: rig.time.now) == .lasts(.seconds(3600)))
        #expect(try await session.token().token.value == Secret("first-2"))
        // Another process finds the same.
        #expect(try await self.session(provider).token().token.value == Secret("first-2"))
        #expect(provider.ring.made.withLock { $0 } == 2)
    }

    @Test func `a failure leaves what was stored`() async throws {
        var provider = KeyProvider()
        _ = try await session(provider).token()
        let before = try await rig.stored()
        provider.failure = MemoryFailure(code: "key_refused", remedy: .fixConfiguration, delivery: .answered)
        let failing = try await session(provider)
        await #expect { try await failing.signIn() } throws: { ($0 as? MemoryFailure)?.code == "key_refused" }
        #expect(try await rig.stored() == before)
        #expect(before?.accessTokens[.primary]?.value == Secret("first-1"))
    }

    @Test func `no answer in time says so, and changes nothing`() async throws {
        var provider = KeyProvider()
        let latch = Latch()
        provider.beforeAnswer = { await latch.pass() }
        let session = try await session(provider)
        let call = Task { try await session.signIn(within: .seconds(60)) }
        await latch.someoneArrived()
        rig.time.advance(by: .seconds(60))
        await #expect {
            try await call.value
        } throws: { error in
            (error as? SessionError)?.reason == .issuerSilent && "\(error)".contains("no token for work in time")
        }
        latch.open()
        #expect(try await rig.stored() == nil)
    }

    @Test func `each way of beginning refuses the other's providers, and says which to call`() async throws {
        let person = try await rig.session()
        await #expect {
            try await person.signIn()
        } throws: { error in
            (error as? SessionError)?.reason == .interactionUnsupported
                && "\(error)".contains("signIn(through:within:)")
        }
        let unattended = try await session(KeyProvider())
        await #expect {
            try await unattended.signIn(through: NoAgent())
        } throws: { error in
            (error as? SessionError)?.reason == .interactionUnsupported && "\(error)".contains("signIn(within:)")
        }
    }

    @Test func `what another key made is given to nobody, and renewed`() async throws {
        let provider = KeyProvider()
        #expect(try await session(provider).token().token.value == Secret("first-1"))
        #expect(try await session(provider).token().token.value == Secret("first-1"))
        provider.ring.key.withLock { $0 = "second" }
        #expect(try await session(provider).token().token.value == Secret("second-2"))
        #expect(try await session(provider).token().token.value == Secret("second-2"))
    }

    @Test func `where the new key brings no token, the earlier one's is not served instead`() async throws {
        var provider = KeyProvider()
        _ = try await session(provider).token()
        provider.ring.key.withLock { $0 = "second" }
        provider.failure = MemoryFailure(code: "offline", remedy: .retry(after: nil), delivery: .notSent)
        let failing = try await session(provider)
        await #expect { try await failing.token() } throws: { ($0 as? MemoryFailure)?.code == "offline" }
    }
}
