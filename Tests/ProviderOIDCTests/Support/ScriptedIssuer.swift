import AuthKitCore
import AuthKitTesting

/// An OpenID provider in memory that behaves well, except for what a test's script changes.
///
/// It checks what the certification suite's provider checks of every request: client authentication, the redirect URI,
/// PKCE with a verifier that is never used twice, and where the access token stands.
final class ScriptedIssuer: Sendable {
    typealias Parameters = [(name: String, value: String)]

    /// Where the issuer departs from good behaviour.
    struct Script: Sendable {
        var discovery: @Sendable (inout JSONObject) -> Void = { _ in }
        /// What its RFC 8414 document says; nil where there is none.
        var oauthDocument: JSONObject?
        var answer: @Sendable (inout Parameters) -> Void = { _ in }
        var header: @Sendable (inout JSONObject) -> Void = { _ in }
        var claims: @Sendable (inout JSONObject) -> Void = { _ in }
        var idToken: @Sendable (String) -> String = { $0 }
        var tokens: @Sendable (inout JSONObject) -> Void = { _ in }
        var userInfo: @Sendable (inout JSONObject) -> Void = { _ in }
        /// The last word on an answer, by path.
        var replace: @Sendable (String, HTTPResponse) -> HTTPResponse = { $1 }
        /// A path at which nobody can be reached.
        var unreachable: String?
        /// Whether new keys are made right before an ID token is signed.
        var rotatesBeforeSigning = false
        /// Whether keys and tokens have no `kid`.
        var omitsKeyID = false
    }

    struct Pending {
        var nonce: String?
        var challenge: String
        var redirectURI: String
    }

    struct State {
        var script = Script()
        var keys: [TestKey] = [.rsa]
        var signer: TestKey = .rsa
        var decoys: [JSONValue] = []
        var keysSuffix = ""
        var pending: [String: Pending] = [:]
        var verifiers: Set<String> = []
        var authorizations: [Parameters] = []
        var seen: [(path: String, request: HTTPRequest)] = []
        var refreshes = 0
        var faults: [String] = []
    }

    /// The path of the RFC 8414 document of an issuer at `/tenant`.
    static let oauthPlace = "/.well-known/oauth-authorization-server/tenant"

    let issuer: String
    let clientID: String
    let secret: String?
    let time: ManualTime
    private let state = Guarded(State())

    init(
        issuer: String = "https://op.example/tenant",
        clientID: String = "client-1",
        secret: String? = "s3cret",
        time: ManualTime = ManualTime()
    ) {
        self.issuer = issuer
        self.clientID = clientID
        self.secret = secret
        self.time = time
    }

    /// The transport that reaches it.
    var transport: StubTransport {
        StubTransport { request in
            if self.withState({ $0.script.unreachable }) == request.url.path {
                throw TransportError(
                    .cannotConnect,
                    delivery: .notSent,
                    detail: "Nobody listens there; try again later."
                )
            }
            return self.answer(request)
        }
    }

    /// What it has found wrong with what it was sent.
    var faults: [String] { state.withLock { $0.faults } }

    /// What came to a path, in order.
    func requests(to path: String) -> [HTTPRequest] {
        state.withLock { $0.seen.filter { $0.path == path }.map(\.request) }
    }

    /// How many requests came to a path.
    func count(_ path: String) -> Int { requests(to: path).count }

    /// The last authorization request's parameters.
    var lastAuthorization: Parameters { state.withLock { $0.authorizations.last ?? [] } }

    /// The form of the last token request.
    var lastTokenForm: [String: String] { requests(to: "/tenant/token").last.map { Self.form(of: $0) } ?? [:] }

    /// Reads or changes anything.
    func withState<Value>(_ body: (inout State) -> Value) -> Value { state.withLock { state in body(&state) } }

    /// Changes the script.
    func script(_ change: (inout Script) -> Void) {
        state.withLock { change(&$0.script) }
    }

    /// Changes keys: what is published, and what signs.
    func use(keys: [TestKey], signer: TestKey? = nil, decoys: [JSONValue] = []) {
        state.withLock { state in
            state.keys = keys
            state.signer = signer ?? keys[0]
            state.decoys = decoys
        }
    }

    /// Answers an authorization request as the person's browser would bring it back.
    func authorize(_ url: String) -> RedirectAnswer {
        let parameters = WebURL(url)?.queryParameters ?? []
        let value = { (name: String) in parameters.first { $0.name == name }?.value }
        return state.withLock { state in
            state.authorizations.append(parameters)
            if Set(parameters.map(\.name)).count != parameters.count { state.faults.append("repeated parameter") }
            if value("response_type") != "code" { state.faults.append("response_type") }
            if value("client_id") != clientID { state.faults.append("client_id") }
            if value("code_challenge_method") != "S256" { state.faults.append("code_challenge_method") }
            if let nonce = value("nonce"), nonce.count > 43 { state.faults.append("nonce is long") }
            let code = "code-\(state.authorizations.count)"
            state.pending[code] = Pending(
                nonce: value("nonce"),
                challenge: value("code_challenge") ?? "",
                redirectURI: value("redirect_uri") ?? ""
            )
            var answer: Parameters = [("code", code), ("state", value("state") ?? "")]
            state.script.answer(&answer)
            return RedirectAnswer(parameters: answer)
        }
    }

    private func answer(_ request: HTTPRequest) -> HTTPResponse {
        let path = request.url.path
        return state.withLock { state in
            state.seen.append((path, request))
            if path == Self.oauthPlace, let document = state.script.oauthDocument {
                return state.script.replace(path, json(request, document))
            }
            let response =
                switch path {
                case "/tenant/.well-known/openid-configuration": json(request, discovery(state))
                case "/tenant/jwks" + state.keysSuffix: json(request, keySet(state))
                case "/tenant/token": token(request, &state)
                case "/tenant/userinfo": userInfo(request, &state)
                case "/tenant/revoke": HTTPResponse.stub(request, at: time.now)
                default: HTTPResponse.stub(request, status: 404, body: "<html>", contentType: "text/html", at: time.now)
                }
            return state.script.replace(path, response)
        }
    }

    func json(_ request: HTTPRequest, status: Int = 200, _ object: JSONObject) -> HTTPResponse {
        .stub(request, status: status, body: String(decoding: object.serialized(), as: UTF8.self), at: time.now)
    }

    private func discovery(_ state: State) -> JSONObject {
        var document: JSONObject = [
            "issuer": .string(issuer),
            "authorization_endpoint": .string(issuer + "/authorize"),
            "token_endpoint": .string(issuer + "/token"),
            "userinfo_endpoint": .string(issuer + "/userinfo"),
            "revocation_endpoint": .string(issuer + "/revoke"),
            "end_session_endpoint": .string(issuer + "/logout"),
            "jwks_uri": .string(issuer + "/jwks" + state.keysSuffix),
            "response_types_supported": ["code", "id_token code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256", "none"],
        ]
        state.script.discovery(&document)
        return document
    }

    private func keySet(_ state: State) -> JSONObject {
        let keys = state.keys.map { $0.publicJWK(withKeyID: !state.script.omitsKeyID) }
        return ["keys": .array(state.decoys + keys)]
    }
}
