import AuthKitCore
import AuthKitDevServer
import Testing

@Suite struct DevServerScriptTests {
    private func script(_ text: String) throws -> DevIssuerOptions {
        try DevServerScript(parsing: Array(text.utf8)).options
    }

    @Test func `an empty script changes nothing`() throws {
        let options = try script("{}")
        #expect(options.clients == DevIssuerOptions().clients)
        #expect(options.users == DevIssuerOptions().users)
        #expect(options.rotatesRefreshTokens)
        #expect(options.faults.isEmpty)
    }

    @Test func `every key is taken`() throws {
        let options = try script(
            """
            {"clients":[{"id":"one","secret":"s","redirect_uris":["http://127.0.0.1/cb"],
              "post_logout_redirect_uris":[],"scopes":["openid"],"alg":"ES256"}],
             "users":[{"name":"carol","sub":"c-1","full_name":"Carol C.","email":"c@example.org"}],
             "consent":"page","access_token":"opaque","alg":"ES256","key_for_each_alg":false,"code_lifetime":30,"access_token_lifetime":5,
             "id_token_lifetime":6,"refresh_token_lifetime":7,"rotate":false,"grace":8,"requires_offline_access":true,
             "publish_retired_keys":false,"path":"/a","faults":["token:503"]}
            """
        )
        var client = DevClient(
            id: "one",
            secret: Secret("s"),
            redirectURIs: ["http://127.0.0.1/cb"],
            postLogoutRedirectURIs: []
        )
        client.scopes = ["openid"]
        client.algorithm = .es256
        #expect(options.clients == [client])
        #expect(options.users == [DevUser(subject: "c-1", name: "carol", fullName: "Carol C.", email: "c@example.org")])
        #expect(options.consent == .page && options.accessTokenForm == .opaque && options.algorithm == .es256)
        #expect(options.codeLifetime == .seconds(30) && options.accessTokenLifetime == .seconds(5))
        #expect(options.idTokenLifetime == .seconds(6) && options.refreshTokenLifetime == .seconds(7))
        #expect(!options.rotatesRefreshTokens && options.rotationGrace == .seconds(8))
        #expect(
            options.requiresOfflineAccess && !options.publishesRetiredKeys && !options.hasKeyForEachAlgorithm
                && options.path == "/a"
        )
        #expect(options.faults == [Fault(.token, .status(503))])
    }

    @Test(arguments: [
        "", "[]", #"{"colour":"red"}"#, #"{"clients":[{"id":"a","colour":"red"}]}"#,
        #"{"users":[{"name":"a","password":"b"}]}"#,
        #"{"clients":[{}]}"#, #"{"users":{}}"#, #"{"consent":"maybe"}"#, #"{"grace":-1}"#, #"{"grace":"1"}"#,
        #"{"rotate":1}"#,
        #"{"rotate":true,"rotate":false}"#, #"{"alg":"none"}"#,
    ])
    func `another script is refused`(_ text: String) {
        let error = #expect(throws: DevServerError.self) { try script(text) }
        #expect(error?.code == .badScript)
    }

    @Test(arguments: [#"{"users":[]}"#, #"{"clients":[{"id":"a"},{"id":"a"}]}"#, #"{"path":"/a/"}"#, #"{"path":"a"}"#])
    func `options that no issuer can work with are refused`(_ text: String) {
        let error = #expect(throws: DevServerError.self) { try script(text) }
        #expect(error?.code == .badOptions)
    }

    @Test func `a fault in a script is read strictly`() {
        let error = #expect(throws: DevServerError.self) { try script(#"{"faults":["token:x"]}"#) }
        #expect(error?.code == .badFault)
    }
}
