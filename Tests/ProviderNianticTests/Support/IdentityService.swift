import AuthKitCore
import AuthKitTesting

/// An identity service in memory: three steps and a key, rotation, reuse detection; a script departs from that.
final class IdentityService: Sendable {
    static let url = "https://identity.example/oauth/token"

    /// Where the service departs from good behaviour.
    struct Script: Sendable {
        var sessionLifetime = Duration.seconds(30 * 86_400)
        var refreshLifetime = Duration.seconds(86_400)
        var accessLifetime = Duration.seconds(3600)
        /// Whether step 1 and step 3 give new tokens.
        var rotates = true
        /// What stands in `Set-Cookie` fields, made of the next token.
        var cookies: @Sendable (String) -> [String] = { ["refresh_token=\($0); Path=/; HttpOnly; Secure"] }
        var claims: @Sendable (String, inout JSONObject) -> Void = { _, _ in }
        /// The last word on an answer, by grant.
        var replace: @Sendable (String, HTTPResponse) async throws -> HTTPResponse = { $1 }
        /// What happens before the service looks at a request.
        var before: @Sendable (String) async throws -> Void = { _ in }
    }

    struct State: Sendable {
        var script = Script()
        var sessions = 0
        var refreshes = 0
        var accesses = 0
        var keys: Set<String> = ["key-1", "key-2"]
        var session = ""
        var refreshTokens: Set<String> = []
        var requests: [(grant: String, request: HTTPRequest)] = []
        /// How often a spent token came again.
        var reuses = 0
    }

    let time: ManualTime
    private let state = Guarded(State())

    init(time: ManualTime = ManualTime()) {
        self.time = time
    }

    var transport: StubTransport { StubTransport { try await self.answer($0) } }
    var grants: [String] { state.withLock { $0.requests.map(\.grant) } }
    var requests: [HTTPRequest] { state.withLock { $0.requests.map(\.request) } }
    var reuses: Int { state.withLock { $0.reuses } }

    func script(_ change: (inout Script) -> Void) { state.withLock { change(&$0.script) } }
    func withState<Value: Sendable>(_ body: (inout State) -> Value) -> Value { state.withLock { body(&$0) } }
    func forgetRequests() { state.withLock { $0.requests = [] } }

    /// A session token as the sign-in page hands one out.
    func browserSignIn(subject: String? = "user-1", ends: Duration? = nil) -> String {
        state.withLock { state in
            state.sessions += 1
            let end = time.now.wall + (ends ?? state.script.sessionLifetime)
            state.session = SampleToken.make("session", state.sessions, subject: subject, ends: end)
            return state.session
        }
    }

    /// The JSON body of a request.
    static func body(_ request: HTTPRequest) -> JSONObject {
        switch request.body {
        case .bytes(let bytes, _), .secretBytes(let bytes, _): (try? JSONValue(parsing: bytes))?.object ?? JSONObject()
        default: JSONObject()
        }
    }

    /// The session token in a request's cookie.
    static func cookie(_ request: HTTPRequest) -> String? {
        request.fields.first(named: "cookie").map { String($0.dropFirst("refresh_token=".count)) }
    }

    private func answer(_ request: HTTPRequest) async throws -> HTTPResponse {
        let grant = Self.body(request)["grantType"]?.string ?? ""
        let script = state.withLock { state in
            state.requests.append((grant, request))
            return state.script
        }
        try await script.before(grant)
        let response = state.withLock { state in respond(to: request, grant, &state) }
        return try await script.replace(grant, response)
    }

    private func respond(to request: HTTPRequest, _ grant: String, _ state: inout State) -> HTTPResponse {
        switch grant {
        case "refresh_user_session_access_token": rotate(request, &state)
        case "exchange_build_refresh_token": makeRefresh(request, &state)
        case "refresh_build_access_token": makeAccess(request, &state)
        case "exchange_api_key_access_token": exchangeKey(request, &state)
        default: refusal(request, 400, "unsupported_grant_type")
        }
    }

    private func rotate(_ request: HTTPRequest, _ state: inout State) -> HTTPResponse {
        guard isSession(request, &state) else { return refusal(request, 401, "invalid session") }
        let end = time.now.wall + state.script.sessionLifetime
        var fields: [HTTPField] = []
        if state.script.rotates {
            let subject = (try? UnverifiedJWT(decoding: state.session))?.claims?["sub"]?.string
            state.sessions += 1
            state.session = SampleToken.make("session", state.sessions, subject: subject, ends: end)
            fields = state.script.cookies(state.session).map { HTTPField("Set-Cookie", $0) }
        }
        let soon = time.now.wall + .seconds(60)
        let body: JSONObject = ["token": "session-access", "expiresAt": .integer(soon.seconds)]
        return ok(request, body, "rotate", state, fields: fields)
    }

    private func makeRefresh(_ request: HTTPRequest, _ state: inout State) -> HTTPResponse {
        guard isSession(request, &state) else { return refusal(request, 401, "invalid session") }
        let token = newRefresh(&state)
        let end = time.now.wall + state.script.refreshLifetime
        return ok(request, ["buildRefreshToken": .string(token), "expiresAt": .integer(end.seconds)], "refresh", state)
    }

    private func makeAccess(_ request: HTTPRequest, _ state: inout State) -> HTTPResponse {
        let sent = Self.body(request)["buildRefreshToken"]?.string ?? ""
        guard state.refreshTokens.contains(sent) else {
            state.reuses += 1
            return refusal(request, 401, "invalid refresh token")
        }
        var next = sent
        if state.script.rotates {
            state.refreshTokens.remove(sent)
            next = newRefresh(&state)
        }
        return ok(
            request,
            [
                "buildAccessToken": .string(newAccess(&state)), "buildRefreshToken": .string(next),
                "expiresAt": .integer((time.now.wall + state.script.accessLifetime).seconds),
            ],
            "access",
            state
        )
    }

    private func exchangeKey(_ request: HTTPRequest, _ state: inout State) -> HTTPResponse {
        guard state.keys.contains(Self.body(request)["apiKey"]?.string ?? "") else {
            return refusal(request, 403, "unknown key")
        }
        let end = time.now.wall + state.script.accessLifetime
        return ok(
            request,
            ["accessToken": .string(newAccess(&state)), "expiresAt": .integer(end.seconds)],
            "key",
            state
        )
    }

    private func isSession(_ request: HTTPRequest, _ state: inout State) -> Bool {
        if Self.cookie(request) == state.session, !state.session.isEmpty { return true }
        state.reuses += 1
        return false
    }

    private func newRefresh(_ state: inout State) -> String {
        state.refreshes += 1
        let end = time.now.wall + state.script.refreshLifetime
        let token = SampleToken.make("refresh", state.refreshes, ends: end)
        state.refreshTokens.insert(token)
        return token
    }

    private func newAccess(_ state: inout State) -> String {
        state.accesses += 1
        return SampleToken.make("access", state.accesses, ends: time.now.wall + state.script.accessLifetime)
    }

    private func ok(
        _ request: HTTPRequest,
        _ body: JSONObject,
        _ kind: String,
        _ state: State,
        fields: [HTTPField] = []
    ) -> HTTPResponse {
        var body = body
        state.script.claims(kind, &body)
        return .stub(
            request,
            fields: fields,
            body: String(decoding: body.serialized(), as: UTF8.self),
            at: time.now
        )
    }

    func refusal(_ request: HTTPRequest, _ status: Int, _ error: String) -> HTTPResponse {
        .stub(request, status: status, body: #"{"error":"\#(error)"}"#, at: time.now)
    }
}
