import AuthKitCore
import AuthKitDevServer
import LoopbackHTTP
import Testing

/// What an app of the NSDK sends, without a provider's cleverness.
extension IssuerBench {
    func exchange(
        _ grant: String,
        session: String? = nil,
        _ members: [String: JSONValue] = [:],
        type: String = "application/json"
    ) -> IssuerAnswer {
        var body: JSONObject = ["grantType": .string(grant)]
        for (name, value) in members { body[name] = value }
        var fields = [HTTPField("Content-Type", type)]
        if let session { fields.append(HTTPField("Cookie", "refresh_token=\(session)")) }
        return issuer.answer(
            ServerRequest(method: "POST", target: "/oauth/token", fields: fields, body: body.serialized())
        )
    }

    /// The session token that the sign-in page sends to an app.
    func sessionToken(user: String = "alice") throws -> String {
        let answer = get("/signin", [("redirectType", "nsdk-samples"), ("user", user)])
        return try #require(answer.redirect?["refreshToken"])
    }

    /// Step 1.
    func rotate(_ session: String) -> IssuerAnswer { exchange("refresh_user_session_access_token", session: session) }

    /// Step 2.
    func makeRefresh(_ session: String) -> IssuerAnswer { exchange("exchange_build_refresh_token", session: session) }

    /// Step 3.
    func makeAccess(_ refresh: String) -> IssuerAnswer {
        exchange("refresh_build_access_token", ["buildRefreshToken": .string(refresh)])
    }

    /// Signs in and makes steps 1 and 2; returns what is good then.
    func nianticTokens() throws -> (session: String, refresh: String) {
        let session = try #require(rotate(sessionToken()).sessionCookie)
        return (session, try #require(makeRefresh(session).json().text("buildRefreshToken")))
    }

    /// What a token says of itself.
    static func claims(_ token: String) throws -> JSONObject {
        try #require(UnverifiedJWT(decoding: token).claims)
    }

    /// A back end's answer to a bearer token.
    func backend(_ token: String?, method: String = "GET") -> IssuerAnswer {
        let fields = token.map { [HTTPField("Authorization", "Bearer \($0)")] } ?? []
        return issuer.answer(ServerRequest(method: method, target: "/api/access-token", fields: fields, body: []))
    }
}

extension IssuerAnswer {
    /// The value of the first `refresh_token` cookie, as an app would cut it out.
    var sessionCookie: String? {
        response.fields.all(named: "Set-Cookie").first { $0.hasPrefix("refresh_token=") }
            .map { String($0.dropFirst("refresh_token=".count).prefix { $0 != ";" }) }
    }

    /// What a token of the body says of itself.
    func claims(of name: String) throws -> JSONObject {
        try IssuerBench.claims(#require(json().text(name)))
    }
}
