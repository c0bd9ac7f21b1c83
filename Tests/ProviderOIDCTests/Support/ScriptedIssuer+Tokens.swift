import AuthKitCore
import AuthKitTesting

extension ScriptedIssuer {
    /// Answers a token request, or refuses it as RFC 6749 §5.2 says.
    func token(_ request: HTTPRequest, _ state: inout State) -> HTTPResponse {
        let form = Self.form(of: request)
        guard isAuthenticated(request, form) else {
            return json(request, status: 401, ["error": "invalid_client"])
        }
        switch form["grant_type"] {
        case "authorization_code":
            guard let code = form["code"], let pending = state.pending.removeValue(forKey: code),
                let verifier = form["code_verifier"], verifier.count >= 43,
                state.verifiers.insert(verifier).inserted,
                Base64URL.encode(SHA256.digest(Array(verifier.utf8))) == pending.challenge,
                form["redirect_uri"] == pending.redirectURI
            else { return json(request, status: 400, ["error": "invalid_grant"]) }
            return issue(request, nonce: pending.nonce, &state)
        case "refresh_token":
            guard form["refresh_token"] == "refresh-\(state.refreshes)" else {
                return json(request, status: 400, ["error": "invalid_grant"])
            }
            state.refreshes += 1
            return issue(request, nonce: nil, &state)
        default:
            return json(request, status: 400, ["error": "unsupported_grant_type"])
        }
    }

    private func issue(_ request: HTTPRequest, nonce: String?, _ state: inout State) -> HTTPResponse {
        let access = "access-\(state.refreshes)"
        if state.script.rotatesBeforeSigning {
            state.keys = [.otherRSA]
            state.signer = .otherRSA
        }
        let now = time.now.wall.seconds
        var claims: JSONObject = [
            "iss": .string(issuer), "sub": "subject-1", "aud": .string(clientID),
            "exp": .integer(now + 300), "iat": .integer(now),
            "at_hash": .string(Self.leftHalfHash(access)), "preferred_username": "ada",
        ]
        claims["nonce"] = nonce.map(JSONValue.string)
        state.script.claims(&claims)
        var header: JSONObject = ["alg": .string(state.signer.algorithm)]
        if !state.script.omitsKeyID { header["kid"] = .string(state.signer.keyID) }
        state.script.header(&header)
        var tokens: JSONObject = [
            "access_token": .string(access), "token_type": "Bearer", "expires_in": 600,
            "refresh_token": .string("refresh-\(state.refreshes)"),
            "id_token": .string(state.script.idToken(state.signer.sign(header, claims))),
        ]
        state.script.tokens(&tokens)
        return json(request, tokens)
    }

    /// Answers UserInfo, and notes where the token stood.
    func userInfo(_ request: HTTPRequest, _ state: inout State) -> HTTPResponse {
        guard request.fields.first(named: "authorization")?.hasPrefix("Bearer access-") == true else {
            state.faults.append("no bearer token in the header")
            return json(request, status: 401, ["error": "invalid_token"])
        }
        if request.url.query != nil { state.faults.append("a query at userinfo") }
        var claims: JSONObject = ["sub": "subject-1", "email": "ada@op.example", "name": "Ada"]
        state.script.userInfo(&claims)
        return json(request, claims)
    }

    private func isAuthenticated(_ request: HTTPRequest, _ form: [String: String]) -> Bool {
        guard let secret else { return form["client_id"] == clientID && form["client_secret"] == nil }
        let pair = FormEncoding.encode(clientID) + ":" + FormEncoding.encode(secret)
        return request.fields.first(named: "authorization") == "Basic " + base64(pair)
    }

    /// The left half of SHA-256, as `at_hash` has it for 256-bit algorithms (OpenID Connect Core §3.1.3.6).
    static func leftHalfHash(_ text: String) -> String {
        Base64URL.encode(Array(SHA256.digest(Array(text.utf8)).prefix(16)))
    }

    /// The parameters of a form body.
    static func form(of request: HTTPRequest) -> [String: String] {
        guard case .form(let parameters)? = request.body else { return [:] }
        return Dictionary(parameters.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}

/// Base64 with padding, by way of base64url.
func base64(_ text: String) -> String {
    let plain = Base64URL.encode(Array(text.utf8)).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
    return String(plain) + String(repeating: "=", count: (4 - plain.count % 4) % 4)
}
