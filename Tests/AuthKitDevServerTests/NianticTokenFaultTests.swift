import AuthKitCore
import AuthKitDevServer
import AuthKitTesting
import LoopbackHTTP
import Testing

/// What the identity service's tokens, ends and refusals can look like on demand, in the raw answers.
@Suite struct NianticTokenFaultTests {
    private func bench(_ faults: Fault...) throws -> IssuerBench { try IssuerBench { $0.faults = faults } }

    private func key(_ bench: IssuerBench) -> IssuerAnswer {
        bench.exchange("exchange_api_key_access_token", ["apiKey": "dev-api-key"])
    }

    @Test(
        arguments: [
            (FaultKind.missingExp, JSONValue?.none), (.fractionalExp, 1_800_003_600.5), (.textExp, "1800003600"),
            (.expired, 1_799_996_400),
        ] as [(FaultKind, JSONValue?)]
    )
    func `a token's own end has every form, and the answer's stays`(_ kind: FaultKind, _ value: JSONValue?) throws {
        let answer = key(try bench(Fault(.nianticKey, kind)))
        #expect(try answer.claims(of: "accessToken")["exp"] == value)
        #expect(try answer.claims(of: "accessToken").text("sub") == "service-account-dev")
        #expect(try answer.json()["expiresAt"] == 1_800_003_600)
    }

    @Test func `nobody says when a token ends, or the answer's lifetime alone does`() throws {
        let bench = try bench(
            Fault(.nianticKey, .noEnd),
            Fault(.nianticKey, .lifetimeOnly),
            Fault(.nianticBackend, .noEnd),
            Fault(.nianticBackend, .lifetimeOnly)
        )
        #expect(try key(bench).json().names == ["accessToken"])
        let lifetime = key(bench)
        #expect(try lifetime.json().names == ["accessToken", "expiresIn"])
        #expect(try lifetime.json()["expiresIn"] == 3600)
        #expect(try lifetime.claims(of: "accessToken")["exp"] == nil)
        #expect(try bench.backend("dev-backend-token").json().names == ["accessToken"])
        #expect(try bench.backend("dev-backend-token").json()["expiresIn"] == 3600)
        #expect(try key(bench).json().names == ["accessToken", "expiresAt"])
    }

    @Test func `a token that is no JWT is good all the same`() throws {
        let bench = try bench(
            Fault(.nianticRotate, .opaqueToken),
            Fault(.nianticRefresh, .opaqueToken),
            Fault(.nianticAccess, .opaqueToken)
        )
        let session = try #require(bench.rotate(bench.sessionToken()).sessionCookie)
        let refresh = try #require(bench.makeRefresh(session).json().text("buildRefreshToken"))
        let answer = try bench.makeAccess(refresh).json()
        for token in [session, refresh, try #require(answer.text("buildAccessToken"))] {
            #expect(token.hasPrefix("opaque-") && !token.contains("."))
        }
        // What comes beside the token of the step is as usual.
        let next = try #require(answer.text("buildRefreshToken"))
        #expect(try IssuerBench.claims(next)["exp"] == 1_800_086_400)
    }

    @Test(arguments: ["user_id", "uid", "https://app.example/user_id"])
    func `a token names its user under one claim and no sub`(_ claim: String) throws {
        let bench = try bench(
            Fault(.nianticSignIn, .userIDClaim(claim)),
            Fault(.nianticRotate, .userIDClaim(claim)),
            Fault(.nianticKey, .userIDClaim(claim))
        )
        let session = try bench.sessionToken(user: "bob")
        let cookie = try #require(bench.rotate(session).sessionCookie)
        for claims in [try IssuerBench.claims(session), try IssuerBench.claims(cookie)] {
            #expect(claims.text(claim) == "user-bob" && claims["sub"] == nil)
            #expect(claims.text("email") == "bob@example.org")
            #expect(claims.names.filter { $0.hasSuffix("user_id") } == (claim == "uid" ? [] : [claim]))
        }
        #expect(try key(bench).claims(of: "accessToken").text(claim) == "service-account-dev")
    }

    @Test func `a token names nobody, or several audiences`() throws {
        let bench = try bench(Fault(.nianticKey, .missingSubject), Fault(.nianticKey, .severalAudiences))
        #expect(try key(bench).claims(of: "accessToken").names == ["iss", "aud", "iat", "exp", "jti", "token_use"])
        #expect(try key(bench).claims(of: "accessToken")["aud"] == ["nsdk", "nsdk-extra"])
        #expect(try key(bench).claims(of: "accessToken")["aud"] == "nsdk")
    }

    @Test func `a token's signature can be wrong, of no key, or missing`() throws {
        let bench = try bench(
            Fault(.nianticKey, .badSignature),
            Fault(.nianticKey, .unknownKey),
            Fault(.nianticKey, .unsigned)
        )
        let keys = try JWKSet(parsing: bench.get("/jwks").response.body)
        let policy = JWTPolicy(algorithms: [.es256], issuer: "http://127.0.0.1:9999/oauth/token", audience: "nsdk")
        let verifier = JWTVerifier(policy: policy)
        for _ in 0..<3 {
            let token = try #require(key(bench).json().text("accessToken"))
            #expect(throws: JWTError.self) { _ = try verifier.verify(token, with: keys, at: bench.time.now.wall) }
        }
        let good = try #require(key(bench).json().text("accessToken"))
        #expect(
            try verifier.verify(good, with: keys, at: bench.time.now.wall).claims.text("sub") == "service-account-dev"
        )
    }

    @Test(arguments: [
        (FaultKind.errorObject, #"{"error":{"code":"fault","message":"this is a fault that was asked for"}}"#),
        (.errorDescription, #"{"error":"fault","error_description":"this is a fault that was asked for"}"#),
        (.errorMessage, #"{"error":"fault","message":"this is a fault that was asked for"}"#),
        (.descriptionAlone, #"{"error_description":"this is a fault that was asked for"}"#),
        (.messageAlone, #"{"message":"this is a fault that was asked for"}"#),
        (.errorEcho, #"{"error":"there is no token SENT"}"#),
    ])
    func `a refusal has every shape, and nothing is done`(_ kind: FaultKind, _ text: String) throws {
        let bench = try bench(Fault(.nianticRotate, kind))
        let session = try bench.sessionToken()
        let answer = bench.rotate(session)
        #expect(answer.status == 400 && answer.field("Cache-Control") == "no-store")
        #expect(answer.text == text.replacing("SENT", with: session))
        #expect(bench.issuer.statistics.niantic.sessionsRotated == 0)
        #expect(bench.rotate(session).status == 200)
    }

    @Test(arguments: [(7200, "10:00:00"), (-7200, "06:00:00")])
    func `a clock that is off shows in the date, the answer and its tokens`(_ seconds: Int, _ date: String) throws {
        let skew = FaultKind.skewed(seconds: seconds)
        let bench = try bench(
            Fault(.nianticKey, skew),
            Fault(.nianticBackend, skew),
            Fault(.nianticRotate, skew),
            Fault(.nianticSignIn, skew)
        )
        let (start, off) = (Int64(1_800_000_000), Int64(seconds))
        for answer in [key(bench), bench.backend("dev-backend-token")] {
            // 1 800 000 000 is Friday, 15 January 2027, 08:00:00.
            #expect(answer.field("Date") == "Fri, 15 Jan 2027 \(date) GMT")
            #expect(try answer.claims(of: "accessToken")["iat"] == .integer(start + off))
            #expect(try answer.claims(of: "accessToken")["exp"] == .integer(start + off + 3600))
        }
        let session = try bench.sessionToken()
        #expect(try IssuerBench.claims(session)["iat"] == .integer(start + off))
        let rotated = bench.rotate(session)
        #expect(try rotated.json()["expiresAt"] == .integer(start + off + 3600))
        #expect(rotated.field("Set-Cookie")?.contains("Expires=Sun, 14 Feb 2027 \(date) GMT") == true)
        // It is the clock that is shown, not the one that counts.
        let next = bench.rotate(try #require(rotated.sessionCookie))
        #expect(next.status == 200 && next.field("Date") == nil)
        #expect(try next.json()["expiresAt"] == .integer(start + 3600))
    }

    @Test func `a sign-in can fail without a word`() throws {
        let bench = try bench(Fault(.nianticSignIn, .bareFailure, count: 2))
        let loopback = bench.get("/signin", [("redirectType", "unity-editor"), ("port", "8080")])
        #expect(loopback.status == 303)
        #expect(loopback.field("Location") == "http://127.0.0.1:8080/login/failure")
        let scheme = bench.get("/signin", [("redirectType", "nsdk-external")])
        #expect(scheme.field("Location") == "nsdk-external://signin/redirect")
        #expect(bench.issuer.statistics.niantic.signIns == 0)
    }

    @Test func `an error goes to the failure path of loopback, and to a scheme's one address`() throws {
        let bench = try bench(Fault(.nianticSignIn, .error("login_failed"), count: 2))
        let words = "?error=login_failed&error_description=This%20is%20a%20fault%20that%20was%20asked%20for."
        let loopback = bench.get("/signin", [("redirectType", "unity-editor"), ("port", "8080")])
        #expect(loopback.field("Location") == "http://127.0.0.1:8080/login/failure" + words)
        let scheme = bench.get("/signin", [("redirectType", "nsdk-samples")])
        #expect(scheme.field("Location") == "nsdk-samples://signin/redirect" + words)
    }

    @Test(arguments: [
        "niantic-key:no-exp", "niantic-access:text-exp*2", "niantic-signin:fractional-exp", "niantic-backend:no-end",
        "niantic-rotate:opaque", "niantic-refresh:expired", "niantic-rotate:skew=-7200", "niantic-signin:skew=1",
        "niantic-access:user-id=https://app.example/user_id", "niantic-signin:bare-failure", "niantic-key:error-echo",
        "niantic-refresh:several-aud*", "niantic-access:bad-signature", "niantic-rotate:message-alone",
    ])
    func `a fault is read and written alike`(_ text: String) throws {
        #expect(try Fault(parsing: text).description == text)
    }

    @Test(arguments: [
        "token:no-exp", "niantic-signout:skew=1", "niantic-signin:no-end", "niantic-rotate:bare-failure",
        "refresh:error-echo", "niantic-key:skew=0", "niantic-key:skew=86401", "niantic-key:skew=x",
        "niantic-key:skew=", "niantic-key:user-id=", "niantic-key:user-id=a b", "niantic-key:user-id=a;b",
        "userinfo:user-id=uid",
    ])
    func `a kind belongs to its points, and a value to its range`(_ text: String) {
        let error = #expect(throws: DevServerError.self) { try Fault(parsing: text) }
        #expect(error?.code == .badFault)
    }

    @Test func `the sentence lists the kinds with a value where they can be`() {
        let known = #expect(throws: DevServerError.self) { try Fault(parsing: "niantic-signin:x") }
        #expect(known?.description.contains("user-id=CLAIM, skew=SECONDS, html") == true)
        let other = #expect(throws: DevServerError.self) { try Fault(parsing: "token:x") }
        #expect(other?.description.contains("skew=SECONDS") == false)
    }
}
