import AuthKitCore
import AuthKitDevServer
import AuthKitTesting
import LoopbackHTTP
import Testing

/// An issuer without sockets, on a clock that stands still, and a browser and a client to talk to it.
struct IssuerBench {
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    /// RFC 7636 Appendix B.
    static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    static let callback = "http://127.0.0.1:39001/callback"

    let time = ManualTime()
    let issuer: DevIssuer

    init(_ change: (inout DevIssuerOptions) -> Void = { _ in }) throws {
        var options = DevIssuerOptions(time: time)
        options.algorithm = .es256
        options.hasKeyForEachAlgorithm = false
        change(&options)
        issuer = try DevIssuer(origin: "http://127.0.0.1:9999", options: options)
    }

    /// How the confidential client authenticates.
    static let confidential = HTTPField("Authorization", "Basic ZGV2LWNvbmY6ZGV2LXNlY3JldA==")

    func get(_ path: String, _ query: [(String, String)] = [], fields: [HTTPField] = []) -> IssuerAnswer {
        let text = FormEncoding.encode(query.map { FormParameter($0.0, $0.1) })
        let target = query.isEmpty ? path : "\(path)?\(text)"
        return issuer.answer(ServerRequest(method: "GET", target: target, fields: fields, body: []))
    }

    func post(_ path: String, _ form: [(String, String)], fields: [HTTPField] = []) -> IssuerAnswer {
        let text = FormEncoding.encode(form.map { FormParameter($0.0, $0.1) })
        let type = HTTPField("Content-Type", "application/x-www-form-urlencoded")
        return issuer.answer(
            ServerRequest(method: "POST", target: path, fields: [type] + fields, body: Array(text.utf8))
        )
    }

    /// The parameters of a good authorization request, with some of them changed; nil takes one out.
    func authorization(_ changes: [String: String?] = [:]) -> [(String, String)] {
        var parameters: [(String, String?)] = [
            ("response_type", "code"), ("client_id", "dev"), ("redirect_uri", Self.callback),
            ("scope", "openid profile email offline_access"), ("state", "s-1"), ("nonce", "n-1"),
            ("code_challenge", Self.challenge), ("code_challenge_method", "S256"),
        ]
        for (name, value) in changes {
            parameters.removeAll { $0.0 == name }
            parameters.append((name, value))
        }
        return parameters.compactMap { name, value in value.map { (name, $0) } }
    }

    func authorize(_ changes: [String: String?] = [:], fields: [HTTPField] = []) -> IssuerAnswer {
        get("/authorize", authorization(changes), fields: fields)
    }

    func code(_ changes: [String: String?] = [:]) throws -> String {
        try #require(authorize(changes).redirect?["code"])
    }

    func redeem(
        _ code: String,
        _ changes: [String: String?] = [:],
        fields: [HTTPField] = []
    ) -> IssuerAnswer {
        var form: [String: String?] = [
            "grant_type": "authorization_code", "code": code, "client_id": "dev", "redirect_uri": Self.callback,
            "code_verifier": Self.verifier,
        ]
        form.merge(changes) { $1 }
        return post("/token", form.compactMap { name, value in value.map { (name, $0) } }, fields: fields)
    }

    /// Signs in and returns the token answer.
    func tokens(_ changes: [String: String?] = [:]) throws -> JSONObject {
        try redeem(code(changes)).json()
    }

    func refresh(
        _ token: String?,
        _ changes: [String: String] = [:],
        fields: [HTTPField] = []
    ) -> IssuerAnswer {
        var form = ["grant_type": "refresh_token", "client_id": "dev"]
        form["refresh_token"] = token
        form.merge(changes) { $1 }
        return post("/token", form.map { ($0.key, $0.value) }, fields: fields)
    }

    func introspect(_ token: String?) throws -> JSONObject {
        try post("/introspect", [("token", token ?? "")], fields: [Self.confidential]).json()
    }

    func userinfo(_ token: String?) -> IssuerAnswer {
        get("/userinfo", fields: [HTTPField("Authorization", "Bearer \(token ?? "")")])
    }

    /// Checks an ID token with the keys that are published now.
    func verify(_ token: String?, algorithm: JWSAlgorithm = .es256, nonce: String? = nil) throws -> VerifiedJWT {
        let keys = try JWKSet(parsing: get("/jwks").response.body)
        let policy = JWTPolicy(algorithms: [algorithm], issuer: issuer.url, audience: "dev", nonce: nonce)
        return try JWTVerifier(policy: policy).verify(#require(token), with: keys, at: time.now.wall)
    }
}

extension IssuerAnswer {
    func json() throws -> JSONObject { try #require(JSONValue(parsing: response.body).object) }
    var error: String? { (try? json())?["error"]?.string }
    var text: String { String(decoding: response.body, as: UTF8.self) }
    var status: Int { response.status }
    var body: [UInt8] { response.body }
    func field(_ name: String) -> String? { response.fields.first(named: name) }

    /// The parameters that the browser takes back to the client.
    var redirect: [String: String]? {
        guard let location = response.fields.first(named: "Location"), let mark = location.firstIndex(of: "?"),
            let pairs = FormEncoding.decode(location[location.index(after: mark)...])
        else { return nil }
        return Dictionary(pairs.map { ($0.name, $0.value) }) { $1 }
    }
}

extension JSONObject {
    func text(_ name: String) -> String? { self[name]?.string }
}
