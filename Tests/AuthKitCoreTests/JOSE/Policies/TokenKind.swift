import AuthKitCore

/// One good token of each kind, and the policy that asks for it; all at `TestKeys.now`, under `TestKeys.es256`.
enum TokenKind: CaseIterable {
    case idToken, accessToken, untypedLogoutToken, logoutToken, authorizationResponse, chatToken
    case clientAssertion, typedClientAssertion, requestObject, dpopProof

    static let issuer = "https://issuer.example"
    static let client = "client"
    static let address = "https://resource.example/things"

    var type: String? {
        switch self {
        case .idToken, .authorizationResponse, .chatToken: "JWT"
        case .untypedLogoutToken, .clientAssertion: nil
        case .accessToken: "at+jwt"
        case .logoutToken: "logout+jwt"
        case .typedClientAssertion: "client-authentication+jwt"
        case .requestObject: "oauth-authz-req+jwt"
        case .dpopProof: "dpop+jwt"
        }
    }

    /// The claims; what any kind may have is in all of them, so that only what tells them apart does.
    var claims: JSONObject {
        var claims: JSONObject = [
            "iss": .string(Self.issuer), "aud": .string(Self.client), "exp": 1_800_000_300, "iat": 1_800_000_000,
            "jti": "one",
        ]
        switch self {
        case .idToken:
            claims["sub"] = "alice"
            claims["sid"] = "session"
            claims["client_id"] = .string(Self.client)
        case .accessToken:
            claims["sub"] = "alice"
            claims["sid"] = "session"
            claims["client_id"] = .string(Self.client)
        case .untypedLogoutToken, .logoutToken:
            claims["sub"] = "alice"
            claims["sid"] = "session"
            claims["client_id"] = .string(Self.client)
            claims["events"] = ["http://schemas.openid.net/event/backchannel-logout": [:]]
        case .authorizationResponse:
            claims["code"] = "abc"
            claims["state"] = "xyz"
            claims["client_id"] = .string(Self.client)
        case .chatToken:
            claims["sub"] = "alice"
            claims["aud"] = nil
            claims["chat"] = ["id": "chat-1", "webhook_domains": ["*.example.com"]]
        case .clientAssertion, .typedClientAssertion:
            claims["iss"] = .string(Self.client)
            claims["sub"] = .string(Self.client)
            claims["aud"] = .string(Self.issuer)
            claims["client_id"] = .string(Self.client)
        case .requestObject:
            claims["iss"] = .string(Self.client)
            claims["aud"] = .string(Self.issuer)
            claims["client_id"] = .string(Self.client)
            claims["response_type"] = "code"
            claims["nbf"] = 1_800_000_000
        case .dpopProof:
            claims["htm"] = "GET"
            claims["htu"] = .string(Self.address)
        }
        return claims
    }

    var policy: JWTPolicy {
        let algorithms: [JWSAlgorithm] = [.es256]
        return switch self {
        case .idToken:
            .idToken(issuer: Self.issuer, clientID: Self.client, nonce: nil, algorithms: algorithms)
        case .accessToken:
            .accessToken(issuer: Self.issuer, audience: Self.client, algorithms: algorithms)
        case .untypedLogoutToken, .logoutToken:
            .logoutToken(issuer: Self.issuer, clientID: Self.client, algorithms: algorithms)
        case .authorizationResponse:
            .authorizationResponse(issuer: Self.issuer, clientID: Self.client, algorithms: algorithms)
        case .chatToken:
            .chatToken(issuer: Self.issuer, chatID: "chat-1", algorithms: algorithms)
        case .clientAssertion, .typedClientAssertion:
            .clientAssertion(clientID: Self.client, audience: Self.issuer, algorithms: algorithms)
        case .requestObject:
            .requestObject(clientID: Self.client, audience: Self.issuer, algorithms: algorithms)
        case .dpopProof:
            // The address is a constant, so that there is always one.
            WebURL(Self.address).map {
                .dpopProof(method: "GET", url: $0, accessToken: nil, nonce: nil, algorithms: algorithms)
            } ?? JWTPolicy(algorithms: [], issuer: "", audience: "")
        }
    }

    /// The claims whose absence must be noticed.
    var required: [String] {
        switch self {
        case .idToken: ["iss", "sub", "aud", "exp", "iat"]
        case .accessToken: ["iss", "exp", "aud", "sub", "client_id", "iat", "jti"]
        case .untypedLogoutToken, .logoutToken: ["iss", "aud", "iat", "exp", "jti", "events"]
        case .authorizationResponse: ["iss", "aud", "exp", "code"]
        case .chatToken: ["iss", "sub", "exp", "iat", "chat"]
        case .clientAssertion, .typedClientAssertion: ["iss", "sub", "aud", "exp", "jti"]
        case .requestObject: ["iss", "aud", "client_id", "exp", "nbf"]
        case .dpopProof: ["jti", "htm", "htu", "iat"]
        }
    }

    /// The code with which a token of this kind, changed, is refused by a policy; nil when it is believed.
    func refusal(
        by policy: JWTPolicy? = nil,
        type: String?? = .none,
        at seconds: Int64 = 1_800_000_000,
        _ change: (inout JSONObject) -> Void = { _ in }
    ) throws -> JWTError.Code? {
        let token = try TestKeys.token(type: type ?? self.type) {
            $0 = claims
            change(&$0)
        }
        let keys = try TestKeys.set([("one", TestKeys.es256)])
        return TestKeys.refusal(of: token, keys: keys, policy: policy ?? self.policy, at: WallTime(seconds: seconds))
    }
}
