import AuthKitCore
import AuthKitTesting
import Foundation
import ProviderOIDC
import StoreFile
import StoreSQLite
import TransportCurl

/// Refreshes one credential once, or signs in where the fault is one of a sign-in: what tests start in order to kill it.
///
///     AuthKitVictim STORE ISSUER [POINT ACTION]
///
/// The store is `sqlite:PATH` or `file:DIRECTORY`, its key lies in VICTIM_KEY; the credential is that of the client
/// `dev` in the slot `test`. Prints whether it was refreshed and, on a line of its own, the access token.
@main
struct Victim {
    struct Misused: Error { let what: String }

    private static let redirectURI = "dev.authkit.example:/callback"

    static func main() async {
        do {
            try await refresh()
        } catch {
            // An error that leaves `main` ends the process by a signal, as a crash does.
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private static func refresh() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 2 || arguments.count == 4 else { throw Misused(what: "the number of arguments") }
        let words = Array(arguments)
        let environment = ProcessInfo.processInfo.environment
        let vault = try await Vault.open(
            store(words[0]),
            keySource: EnvironmentKey(name: "VICTIM_KEY") { environment[$0] }
        )
        let session = try session(vault, issuer: words[1])
        let issued: IssuedToken
        if words.count == 4 {
            guard let point = FaultPoint.all.first(where: { $0.description == words[2] }),
                let action = FaultInjection.Action(rawValue: words[3])
            else { throw Misused(what: "the fault") }
            issued = try await FaultInjection(action, at: point).run {
                if point == .signInVerified {
                    let agent = FetchingUserAgent(redirectURI: Self.redirectURI, transport: CurlTransport())
                    _ = try await session.signIn(through: agent)
                }
                return try await session.token(for: TokenRequest(reason: .forced))
            }
        } else {
            issued = try await session.token(for: TokenRequest(reason: .forced))
        }
        print("refreshed: \(issued.refreshed)")
        print(issued.token.value.reveal())
    }

    private static func store(_ address: String) async throws -> any TokenStore {
        let halves = address.split(separator: ":", maxSplits: 1).map(String.init)
        switch halves.first {
        case "sqlite": return try await SQLiteStore.open(path: halves[1])
        case "file": return try await FileStore.open(path: halves[1])
        default: throw Misused(what: "the store")
        }
    }

    private static func session(_ vault: Vault, issuer: String) throws -> Session {
        let configuration = OIDCConfiguration(
            issuer: issuer,
            clientID: "dev",
            scope: Scope("openid profile email offline_access"),
            redirectURIs: [redirectURI]
        )
        let id = CredentialID(provider: .oidc, issuer: issuer, client: "dev", slot: "test")
        var options = SessionOptions()
        options.saveFailure = .fail
        return Session(
            id,
            provider: try OIDCProvider(configuration, transport: CurlTransport()),
            vault: vault,
            options: options
        )
    }
}
