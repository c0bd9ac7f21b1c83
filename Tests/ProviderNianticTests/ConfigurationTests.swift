import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// Settings are checked before anything is sent, and named when they cannot work.
@Suite struct ConfigurationTests {
    private func reason(_ change: (inout NianticConfiguration) -> Void) -> NianticError.Code? {
        var configuration = NianticConfiguration()
        change(&configuration)
        do throws(NianticError) {
            _ = try NianticProvider(configuration, transport: StubTransport())
            return nil
        } catch {
            #expect(error.remedy == .fixConfiguration)
            return error.reason
        }
    }

    @Test(arguments: [
        ("https://id.example", "https://id.example/oauth/token"),
        ("https://id.example/", "https://id.example/oauth/token"),
        ("https://id.example/base", "https://id.example/base/oauth/token"),
        ("https://id.example/oauth/token", "https://id.example/oauth/token"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080/oauth/token"),
    ])
    func `the identity URL is the base or the full endpoint`(_ given: String, _ endpoint: String) throws {
        var configuration = NianticConfiguration()
        configuration.identityURL = given
        let provider = try NianticProvider(configuration, transport: StubTransport())
        #expect(provider.credentialID(slot: "work").issuer == endpoint)
    }

    @Test(arguments: ["", "id.example", "http://id.example", "ftp://id.example", "https://id.example?x=1"])
    func `another identity URL is refused`(_ url: String) {
        #expect(reason { $0.identityURL = url } == .invalidConfiguration)
    }

    @Test func `pages must be https, or on loopback`() {
        #expect(reason { $0.signInURL = "http://site.example/signin" } == .invalidConfiguration)
        #expect(reason { $0.signOutURL = "http://site.example/signout" } == .invalidConfiguration)
        #expect(reason { $0.signInURL = "http://127.0.0.1:9/signin" } == nil)
        #expect(reason { $0.signOutURL = nil } == nil)
    }

    @Test(arguments: ["https", "javascript", "1abc", "a b", "a:b"])
    func `a scheme that is a browser's or none is refused even where it is allowed`(_ scheme: String) {
        let code = reason { configuration in
            configuration.allowedSchemes = [scheme]
            configuration.redirectType = .scheme(scheme)
        }
        #expect(code == .invalidConfiguration)
    }

    @Test(
        arguments: [[], ["https://127.0.0.1/x"], ["http://site.example/x"], ["nsdk-samples://signin/redirect"]]
            as [[String]]
    )
    func `a loopback redirect must be on loopback`(_ redirects: [String]) {
        let code = reason { configuration in
            configuration.redirectType = .unityEditor
            configuration.loopbackRedirectURIs = redirects
        }
        #expect(code == .invalidConfiguration)
    }

    @Test func `times must make sense`() {
        #expect(reason { $0.requestLimit = .zero } == .invalidConfiguration)
        #expect(reason { $0.refresh.lead = .seconds(-1) } == .invalidConfiguration)
    }

    @Test func `the sign-in page's own query is kept`() async throws {
        let app = try SampleApp { $0.signInURL = "https://site.example/signin?theme=dark" }
        let person = app.person()
        _ = try await app.establish(person)
        #expect(person.urls == ["https://site.example/signin?theme=dark&redirectType=nsdk-samples"])
    }

    @Test func `each flow names its credential for itself`() throws {
        let key = try ServiceAccountProvider(ServiceAccount(name: "a", keyFile: "/k"), transport: StubTransport())
        let backend = try BackendProvider(
            BackendConfiguration(url: "https://b.example/t?u=1"),
            transport: StubTransport()
        )
        let ids = [
            try SampleApp().provider.credentialID(slot: "work"), key.credentialID(slot: "work"),
            DeveloperTokenProvider(path: "/t").credentialID(slot: "work"), backend.credentialID(slot: "work"),
        ]
        #expect(Set(ids).count == 4)
        #expect(ids.map(\.client) == ["sample", "service-account", "developer-token", "backend"])
        #expect(Set(ids.map(\.provider)) == [.niantic])
        #expect(!ids[3].issuer.contains("u=1"))
    }
}
