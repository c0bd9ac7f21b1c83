import AuthKitCore
import LoopbackHTTP
import ProviderOIDC
import StoreSQLite
import TransportCurl

let (issuer, client) = (CommandLine.arguments[1], "dev")
let store = try await SQLiteStore.open(path: "tokens/store.db")
let vault = try await Vault.open(store, keySource: KeyFile(path: "keys/store.key"))
let provider = try OIDCProvider(OIDCConfiguration(issuer: issuer, clientID: client), transport: CurlTransport())
let id = CredentialID(provider: .oidc, issuer: issuer, client: client, slot: "readme")
let session = Session(id, provider: provider, vault: vault)

if try await session.status()?.state != .signedIn {
    _ = try await session.signIn(through: LoopbackUserAgent { url in print("Open \(url)") })
}
let issued = try await session.token(validFor: .seconds(60))
print("Signed in as \(issued.account?.subject ?? "somebody"), with a \(issued.token.type) token for a minute or more")
