import AuthKitCore
import AuthKitTesting
import ProviderOIDC
import Testing

/// A provider with its scripted issuer, and the calls that tests make of it.
struct RelyingParty {
    let issuer: ScriptedIssuer
    let provider: OIDCProvider
    let agent: ScriptedAgent

    init(
        _ issuer: ScriptedIssuer = ScriptedIssuer(),
        scope: Scope = Scope("openid profile email"),
        agent: ScriptedAgent? = nil,
        change: (inout OIDCConfiguration) -> Void = { _ in }
    ) throws {
        self.issuer = issuer
        self.agent = agent ?? ScriptedAgent(issuer)
        var configuration = OIDCConfiguration(
            issuer: issuer.issuer,
            clientID: issuer.clientID,
            clientAuthentication: issuer.secret.map { .clientSecretBasic(Secret($0)) } ?? .none,
            scope: scope
        )
        change(&configuration)
        provider = try OIDCProvider(configuration, transport: issuer.transport, time: issuer.time)
    }

    var context: ProviderContext {
        ProviderContext(time: issuer.time, deadline: Deadline(.seconds(120), from: issuer.time.now))
    }

    /// A blank credential.
    func blank() throws -> StoredCredential {
        let id = CredentialID(provider: .oidc, issuer: issuer.issuer, client: issuer.clientID, slot: "work")
        return StoredCredential(id: id, incarnation: try .draw(), state: .signedIn)
    }

    /// Signs in; `willRedeem` is told right before the code is sent.
    func signIn(willRedeem: @escaping @Sendable () throws -> Void = {}) async throws -> StoredCredential {
        let context = SignInContext(base: context, blank: try blank(), previous: nil, willRedeem: willRedeem)
        return try await provider.signIn(through: agent, in: context).credential
    }

    /// Signs in and reads UserInfo, as an app does first.
    func signInAndReadUserInfo() async throws -> (credential: StoredCredential, claims: JSONObject) {
        let credential = try await signIn()
        return (credential, try await userInfo(credential))
    }

    func userInfo(_ credential: StoredCredential) async throws -> JSONObject {
        let access = try #require(credential.accessTokens[.primary])
        let account = try #require(credential.account)
        return try await provider.userInfo(
            access: access.value,
            expectedSubject: account.subject,
            held: credential,
            in: context
        )
    }

    /// Renews, keeping a record of the durable steps.
    func renew(
        _ held: StoredCredential,
        _ request: TokenRequest = TokenRequest(reason: .forced),
        _ record: RenewalRecord = RenewalRecord()
    ) async throws -> StoredCredential {
        switch try await provider.renew(held, for: request, in: record.context(context, issuer)) {
        case .renewed(let credential): return credential
        case .declined(let reason): throw Declined(reason: reason)
        }
    }

    struct Declined: Error {
        let reason: String
    }
}

/// The durable steps of a renewal, in order, each with how many token requests had been made before.
final class RenewalRecord: Sendable {
    private let kept = Guarded<(intents: [Int], commits: [StoredCredential])>(([], []))

    var intents: [Int] { kept.withLock { $0.intents } }
    var commits: [StoredCredential] { kept.withLock { $0.commits } }

    func context(_ base: ProviderContext, _ issuer: ScriptedIssuer) -> RenewalContext {
        RenewalContext(
            base: base,
            willSendOneTime: { _ in
                self.kept.withLock { $0.intents.append(issuer.count("/tenant/token")) }
                return 0
            },
            commit: { credential in self.kept.withLock { $0.commits.append(credential) } }
        )
    }
}

/// The code of the `OIDCError` that a call throws; nil when it throws none.
func code(of call: () async throws -> some Any) async -> OIDCError.Code? {
    do {
        _ = try await call()
        return nil
    } catch {
        return (error as? OIDCError)?.reason
    }
}

/// The error that a call throws.
func failure(of call: () async throws -> some Any) async throws -> OIDCError {
    do {
        _ = try await call()
    } catch let error as OIDCError {
        return error
    }
    throw NothingThrown()
}

struct NothingThrown: Error {}
