import AuthKitCore
import AuthKitDevServer
import AuthKitTesting
import Testing

@Suite struct FaultTests {
    @Test func `a status comes once, with its field, and nothing is done`() throws {
        let bench = try IssuerBench { $0.faults = [Fault(.refresh, .status(429, retryAfter: 3))] }
        let token = try bench.tokens().text("refresh_token")
        let answer = bench.refresh(token)
        #expect(answer.status == 429)
        #expect(answer.field("Retry-After") == "3")
        #expect(bench.refresh(token).status == 200)
        let statistics = bench.issuer.statistics
        #expect(statistics.refreshes.map(\.outcome) == ["fault 429;retry-after=3", "granted"])
        #expect(statistics.faults == ["refresh:429;retry-after=3": 1])
    }

    @Test func `faults of the code and of the refresh are apart`() throws {
        let bench = try IssuerBench { $0.faults = [Fault(.token, .status(503))] }
        #expect(bench.refresh("rt_x").error == "invalid_grant")
        let code = try bench.code()
        #expect(bench.redeem(code).status == 503)
        #expect(bench.redeem(code).status == 200)
    }

    @Test(arguments: [FaultKind.hangAfterCommit, .closeAfterCommit, .emptyBody])
    func `after a commit the token is spent`(_ kind: FaultKind) throws {
        let bench = try IssuerBench { $0.faults = [Fault(.refresh, kind)] }
        let token = try bench.tokens().text("refresh_token")
        let answer = bench.refresh(token)
        let manner: IssuerAnswer.Manner =
            switch kind {
            case .hangAfterCommit: .never
            case .closeAfterCommit: .dropped
            default: .plain
            }
        #expect(answer.manner == manner)
        if kind == .emptyBody { #expect(answer.body.isEmpty && answer.status == 200) }
        #expect(bench.issuer.statistics.refreshesGranted == 1)
        #expect(bench.issuer.statistics.refreshes.last?.outcome == "granted (\(kind))")
        #expect(bench.refresh(token).error == "invalid_grant")
    }

    @Test(arguments: [FaultKind.stall, .close, .page, .status(500), .error("temporarily_unavailable")])
    func `before a commit the token is not spent`(_ kind: FaultKind) throws {
        let bench = try IssuerBench { $0.faults = [Fault(.refresh, kind)] }
        let token = try bench.tokens().text("refresh_token")
        #expect(bench.refresh(token).manner == (kind == .stall ? .never : kind == .close ? .dropped : .plain))
        #expect(bench.issuer.statistics.refreshesGranted == 0)
        #expect(bench.refresh(token).status == 200)
    }

    @Test func `a hang commits at once and answers later`() throws {
        let bench = try IssuerBench { $0.faults = [Fault(.refresh, .hang(seconds: 5))] }
        let answer = bench.refresh(try bench.tokens().text("refresh_token"))
        #expect(answer.manner == .delayed(.seconds(5)))
        #expect(answer.status == 200)
        #expect(bench.issuer.statistics.refreshesGranted == 1)
    }

    @Test(arguments: [
        (FaultKind.wrongIssuer, JWTError.Code.wrongIssuer), (.wrongAudience, .wrongAudience),
        (.wrongNonce, .wrongNonce),
        (.badSignature, .badSignature), (.unknownKey, .keyNotFound), (.expired, .expired),
    ])
    func `a faulty ID token fails its check`(_ kind: FaultKind, _ code: JWTError.Code) throws {
        let bench = try IssuerBench { $0.faults = [Fault(.token, kind)] }
        let faulty = try bench.tokens().text("id_token")
        let error = #expect(throws: JWTError.self) { try bench.verify(faulty, nonce: "n-1") }
        #expect(error?.code == code)
        _ = try bench.verify(bench.tokens().text("id_token"), nonce: "n-1")
    }

    @Test func `an ID token can lack its signature, subject or nonce, or have others`() throws {
        let bench = try IssuerBench {
            $0.faults = [
                .unsigned, .missingSubject, .wrongSubject, .missingNonce, .wrongAccessTokenHash, .noIDToken, .noExpiry,
            ]
            .map { Fault(.token, $0) }
        }
        #expect(throws: JWTError.self) { try bench.verify(bench.tokens().text("id_token")) }
        #expect(try bench.verify(bench.tokens().text("id_token")).claims["sub"] == nil)
        #expect(try bench.verify(bench.tokens().text("id_token")).claims.text("sub") == "user-alice-other")
        #expect(try bench.verify(bench.tokens().text("id_token")).claims["nonce"] == nil)
        let tokens = try bench.tokens()
        let hash = TokenHash.make(of: Secret(tokens.text("access_token") ?? ""), algorithm: .rs256, key: .rsa)
        #expect(try bench.verify(tokens.text("id_token")).claims.text("at_hash") != hash)
        #expect(try bench.tokens()["id_token"] == nil)
        #expect(try bench.tokens()["expires_in"] == nil)
    }

    @Test func `metadata and userinfo can be another's`() throws {
        let bench = try IssuerBench {
            $0.faults = [
                Fault(.discovery, .wrongIssuer), Fault(.userinfo, .wrongSubject), Fault(.userinfo, .missingSubject),
            ]
        }
        #expect(try bench.get("/.well-known/openid-configuration").json().text("issuer") == bench.issuer.url + "/other")
        let token = try bench.tokens().text("access_token")
        #expect(try bench.userinfo(token).json().text("sub") == "user-alice-other")
        #expect(try bench.userinfo(token).json()["sub"] == nil)
    }

    @Test func `an authorization answer can have the wrong state and issuer, or none, or an error`() throws {
        let bench = try IssuerBench {
            $0.faults = [.wrongState, .missingState, .wrongIss, .missingIss, .error("server_error")].map {
                Fault(.authorize, $0)
            }
        }
        #expect(bench.authorize().redirect?["state"] == "s-1x")
        #expect(bench.authorize().redirect?["state"] == nil)
        #expect(bench.authorize().redirect?["iss"] == bench.issuer.url + "/other")
        let missing = bench.authorize().redirect
        #expect(missing?["iss"] == nil && missing?["code"] != nil)
        #expect(bench.authorize().redirect?["error"] == "server_error")
    }

    @Test func `a fault of the authorization answer waits for the person`() throws {
        let bench = try IssuerBench {
            $0.consent = .page
            $0.faults = [Fault(.authorize, .wrongState)]
        }
        let page = bench.authorize()
        let value = { (name: String) in
            let mark = "name=\"\(name)\" value=\""
            return page.text.ranges(of: mark).first.map { page.text[$0.upperBound...].prefix { $0 != "\"" } } ?? ""
        }
        let form = [
            ("request", String(value("request"))), ("form_token", String(value("form_token"))), ("user", "alice"),
            ("decision", "allow"),
        ]
        let cookie = page.field("Set-Cookie")?.prefix { $0 != ";" } ?? ""
        let answer = bench.post("/authorize/decision", form, fields: [HTTPField("Cookie", String(cookie))])
        #expect(answer.redirect?["state"] == "s-1x")
    }

    @Test func `a page comes in place of JSON`() throws {
        let bench = try IssuerBench { $0.faults = [Fault(.token, .page), Fault(.jwks, .status(503, asPage: true))] }
        let page = bench.redeem(try bench.code())
        #expect(page.status == 200 && page.text.hasPrefix("<!doctype html>"))
        let keys = bench.get("/jwks")
        #expect(keys.status == 503 && keys.text.hasPrefix("<!doctype html>"))
    }
}
