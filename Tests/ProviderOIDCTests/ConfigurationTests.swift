import AuthKitCore
import AuthKitTesting
import ProviderOIDC
import Testing

@Suite struct ConfigurationTests {
    /// The sentence with which a configuration is refused; nil when it is fine.
    private func complaint(
        issuer: String? = "https://op.example",
        _ change: (inout OIDCConfiguration) -> Void = { _ in }
    ) -> String? {
        var configuration = OIDCConfiguration(issuer: issuer, clientID: "c")
        change(&configuration)
        do {
            _ = try OIDCProvider(configuration, transport: StubTransport())
            return nil
        } catch {
            #expect(error.reason == .invalidConfiguration)
            #expect(error.remedy == .fixConfiguration)
            return error.detail
        }
    }

    @Test(arguments: ["state", "nonce", "client_id", "redirect_uri", "code_challenge", "response_type", "scope"])
    func `a reserved extra parameter is refused by name`(_ name: String) {
        #expect(complaint { $0.extraParameters = [FormParameter(name, "x")] }?.contains(#""\#(name)""#) == true)
        #expect(complaint { $0.extraParameters = [FormParameter("x_\(name)", "x")] } == nil)
    }

    @Test(arguments: [
        "http://op.example", "op.example", "https://op.example?x=y", "https://op.example#f", "ftp://op.example", "",
    ])
    func `an issuer must be an https URL without query`(_ issuer: String) {
        #expect(complaint(issuer: issuer) != nil)
    }

    @Test(arguments: ["https://op.example", "http://127.0.0.1:8080", "http://[::1]/x", "http://localhost:1/"])
    func `https and loopback issuers are fine`(_ issuer: String) {
        #expect(complaint(issuer: issuer) == nil)
    }

    @Test func `openid without an issuer names the setting`() {
        let endpoints = OIDCEndpoints(authorization: "https://op.example/a", token: "https://op.example/t")
        #expect(complaint(issuer: nil) { $0.endpoints = endpoints }?.contains("--issuer") == true)
        #expect(
            complaint(issuer: nil) { configuration in
                configuration.endpoints = endpoints
                configuration.scope = Scope("read")
            } == nil
        )
        #expect(complaint(issuer: nil) { $0.scope = Scope("read") } != nil)
    }

    @Test(arguments: ["/callback", "http://op.example/cb", "https://app.example/cb#f", "app:/a b"])
    func `a redirect URI must be absolute, without fragment, and https or loopback`(_ uri: String) {
        #expect(complaint { $0.redirectURIs = [uri] } != nil)
    }

    @Test(arguments: ["com.example.app:/cb", "http://127.0.0.1:0/cb", "http://[::1]:0/cb", "https://app.example/cb"])
    func `usual redirect URIs are fine`(_ uri: String) {
        #expect(complaint { $0.redirectURIs = [uri] } == nil)
    }

    @Test func `settings that exclude each other are refused`() {
        #expect(complaint { $0.clockSkew = .seconds(360) } != nil)
        #expect(complaint { $0.clockSkew = .seconds(359) } == nil)
        #expect(complaint { $0.prompt = "none login" } != nil)
        let impossible: (inout OIDCConfiguration) -> Void = { configuration in
            configuration.maxAge = .zero
            configuration.prompt = "none"
        }
        #expect(complaint(impossible) != nil)
        #expect(complaint { $0.idTokenAlgorithms = [] } != nil)
        #expect(complaint { $0.clientAuthentication = .clientSecretBasic(Secret("")) } != nil)
        #expect(complaint { $0.clientID = "" } != nil)
        #expect(complaint { $0.endpoints.token = "http://op.example/t" } != nil)
        #expect(complaint { $0.resources = ["api"] } != nil)
    }

    @Test func `a raw Basic identifier has no colon`() {
        let raw: (inout OIDCConfiguration) -> Void = { configuration in
            configuration.clientID = "a:b"
            configuration.clientAuthentication = .clientSecretBasicWithoutFormEncoding(Secret("s"))
        }
        #expect(complaint(raw) != nil)
    }

    @Test func `no dump shows the client secret`() {
        var configuration = OIDCConfiguration(issuer: "https://op.example", clientID: "c")
        configuration.clientAuthentication = .clientSecretBasic(Secret("Zauberwort"))
        var text = ""
        dump(configuration, to: &text)
        #expect(!(text + "\(configuration)").contains("Zauberwort"))
    }
}
