import AuthKitCore
import AuthKitTesting
import ProviderOIDC
import Testing

/// Refresh, with the modules of `oidcc-client-refreshtoken-test-plan`.
@Suite struct RefreshTests {
    @Test func `oidcc-client-test-refresh-token: rotates and reads UserInfo with the new token`() async throws {
        let party = try RelyingParty()
        let first = try await party.signIn()
        let second = try await party.renew(first)
        let third = try await party.renew(second)
        #expect(third.refreshToken?.value == Secret("refresh-2"))
        #expect(third.accessTokens[.primary]?.value == Secret("access-2"))
        _ = try await party.userInfo(third)
        #expect(party.issuer.faults == [])
        let form = party.issuer.lastTokenForm
        #expect(form["grant_type"] == "refresh_token")
        #expect(form["scope"] == nil)
    }

    @Test func `oidcc-client-test-refresh-token-invalid-issuer: refuses the answer and keeps the new refresh token`()
        async throws
    {
        let party = try RelyingParty()
        let held = try await party.signIn()
        party.issuer.script { $0.claims = { $0["iss"] = "https://other.example" } }
        let record = RenewalRecord()
        #expect(await code { try await party.renew(held, TokenRequest(reason: .forced), record) } == .invalidIDToken)
        let kept = try #require(record.commits.last)
        #expect(record.commits.count == 1)
        #expect(kept.refreshToken?.value == Secret("refresh-1"))
        #expect(kept.accessTokens[.primary]?.value == Secret("access-0"))
        #expect(kept.state == .signedIn)
    }

    @Test func `oidcc-client-test-refresh-token-invalid-sub: ends the credential`() async throws {
        let party = try RelyingParty()
        let held = try await party.signIn()
        party.issuer.script { $0.claims = { $0["sub"] = "subject-2" } }
        let record = RenewalRecord()
        let error = try await failure { try await party.renew(held, TokenRequest(reason: .forced), record) }
        #expect(error.reason == .subjectChanged)
        #expect(error.remedy == .signInAgain)
        #expect(error.delivery == .answered)
        let kept = try #require(record.commits.last)
        #expect(kept.state == .needsSignIn)
        #expect(kept.problem?.code == "subject_changed")
        #expect(kept.accessTokens[.primary]?.value == Secret("access-0"))
    }

    @Test func `the intent is written before the token is sent`() async throws {
        let party = try RelyingParty()
        let held = try await party.signIn()
        let record = RenewalRecord()
        _ = try await party.renew(held, TokenRequest(reason: .forced), record)
        #expect(record.intents == [1])
        #expect(party.issuer.count("/tenant/token") == 2)
    }

    @Test func `nothing is sent when the intent cannot be written`() async throws {
        let party = try RelyingParty()
        let held = try await party.signIn()
        let context = RenewalContext(
            base: party.context,
            willSendOneTime: { _ in throw CancellationError() },
            commit: { _ in }
        )
        await #expect(throws: CancellationError.self) {
            _ = try await party.provider.renew(held, for: TokenRequest(), in: context)
        }
        #expect(party.issuer.count("/tenant/token") == 1)
    }

    @Test func `what the answer leaves out is kept`() async throws {
        let party = try RelyingParty()
        let held = try await party.signIn()
        party.issuer.script { script in
            script.tokens = { tokens in
                tokens["refresh_token"] = nil
                tokens["id_token"] = nil
            }
        }
        let record = RenewalRecord()
        let renewed = try await party.renew(held, TokenRequest(reason: .forced), record)
        #expect(renewed.refreshToken == held.refreshToken)
        #expect(renewed.idToken == held.idToken)
        #expect(renewed.grantedScope == held.grantedScope)
        #expect(renewed.accessTokens[.primary]?.value == Secret("access-1"))
        #expect(record.commits.isEmpty)
    }

    @Test func `the granted scope is what the issuer says`() async throws {
        let party = try RelyingParty()
        party.issuer.script { $0.tokens = { $0["scope"] = "openid email" } }
        let held = try await party.signIn()
        #expect(held.grantedScope == Scope("openid email"))
        #expect(held.accessTokens[.primary]?.scope == Scope("openid email"))
        party.issuer.script { $0.tokens = { _ in } }
        let renewed = try await party.renew(held)
        #expect(renewed.grantedScope == Scope("openid email"))
    }

    @Test func `another audience, scope and resource makes a token of its own`() async throws {
        let party = try RelyingParty()
        let held = try await party.signIn()
        let request = TokenRequest(
            audience: "https://api.example",
            scope: Scope("read"),
            resources: ["https://api.example/v1"]
        )
        let renewed = try await party.renew(held, request)
        #expect(renewed.accessTokens[request.key]?.value == Secret("access-1"))
        #expect(renewed.accessTokens[request.key]?.scope == Scope("read"))
        #expect(renewed.accessTokens[.primary] == held.accessTokens[.primary])
        #expect(renewed.grantedScope == held.grantedScope)
        let form = party.issuer.lastTokenForm
        #expect(form["audience"] == "https://api.example")
        #expect(form["scope"] == "read")
        #expect(form["resource"] == "https://api.example/v1")
    }

    @Test(arguments: [true, false])
    func `configured audience and resources are sent again unless switched off`(_ sends: Bool) async throws {
        let party = try RelyingParty { configuration in
            configuration.audience = "https://api.example"
            configuration.resources = ["https://api.example/v1"]
            configuration.sendsAudienceAtRefresh = sends
            configuration.sendsResourcesAtRefresh = sends
        }
        _ = try await party.renew(try await party.signIn())
        let form = party.issuer.lastTokenForm
        #expect(form["audience"] == (sends ? "https://api.example" : nil))
        #expect(form["resource"] == (sends ? "https://api.example/v1" : nil))
    }

    @Test func `a refresh needs no discovery while what is kept is young`() async throws {
        let party = try RelyingParty()
        let held = try await party.signIn()
        let later = try RelyingParty(party.issuer)
        _ = try await later.renew(held)
        #expect(party.issuer.count("/tenant/.well-known/openid-configuration") == 1)
        party.issuer.time.advance(by: .seconds(25 * 3600))
        let nextDay = try RelyingParty(party.issuer)
        party.issuer.withState { $0.refreshes = 0 }
        _ = try await nextDay.renew(held)
        #expect(party.issuer.count("/tenant/.well-known/openid-configuration") == 2)
    }

    @Test func `a token endpoint that has moved is looked up anew`() async throws {
        let party = try RelyingParty()
        var held = try await party.signIn()
        let kept = try #require(held.attributes["oidc.metadata"])
        held.attributes["oidc.metadata"] = kept.replacing("/tenant/token", with: "/tenant/old")
        let record = RenewalRecord()
        let renewed = try await RelyingParty(party.issuer).renew(held, TokenRequest(reason: .forced), record)
        #expect(party.issuer.count("/tenant/old") == 1)
        #expect(record.intents.count == 1)
        #expect(renewed.attributes["oidc.metadata"]?.contains("/tenant/token") == true)
    }

    @Test(arguments: ["unreachable", "not there", "broken", "insecure", "the same"])
    func `a token endpoint that is gone is told as such whatever the look-up comes to`(_ fault: String) async throws {
        let party = try RelyingParty()
        var held = try await party.signIn()
        let kept = try #require(held.attributes["oidc.metadata"])
        held.attributes["oidc.metadata"] = kept.replacing("/tenant/token", with: "/tenant/old")
        let place = "/tenant/.well-known/openid-configuration"
        party.issuer.script { script in
            switch fault {
            case "unreachable": script.unreachable = place
            case "insecure": script.discovery = { $0["token_endpoint"] = "http://op.example/tenant/token" }
            case "the same": script.discovery = { $0["token_endpoint"] = "https://op.example/tenant/old" }
            default:
                script.replace = { path, response in
                    var response = response
                    if path == place {
                        response.status = fault == "broken" ? 503 : 404
                    }
                    return response
                }
            }
        }
        let record = RenewalRecord()
        let error = try await failure { try await RelyingParty(party.issuer).renew(held, TokenRequest(), record) }
        #expect(error.reason == .missingEndpoint)
        #expect(error.delivery == .answered)
        #expect(error.detail.contains("/tenant/old"))
        #expect(record.intents.count == 1)
        #expect(party.issuer.count("/tenant/old") == 1)
    }

    @Test func `a refusal at the new address follows one intent, so no answer was lost`() async throws {
        let party = try RelyingParty()
        var held = try await party.signIn()
        let kept = try #require(held.attributes["oidc.metadata"])
        held.attributes["oidc.metadata"] = kept.replacing("/tenant/token", with: "/tenant/old")
        party.issuer.withState { $0.refreshes = 7 }
        let record = RenewalRecord()
        let error = try await failure { try await RelyingParty(party.issuer).renew(held, TokenRequest(), record) }
        #expect(error.reason == .refreshRefused)
        #expect(record.intents.count == 1)
    }

    @Test(
        arguments: [
            ("token_type", "mac"), ("token_type", nil), ("access_token", nil), ("access_token", "a b"), ("id_token", 7),
            ("token_type", "access-1 refresh-1"),
        ] as [(String, JSONValue?)]
    )
    func `a rotated refresh token is kept when nothing else of the answer can be used`(
        _ name: String,
        _ value: JSONValue?
    ) async throws {
        let party = try RelyingParty()
        let held = try await party.signIn()
        party.issuer.script { $0.tokens = { $0[name] = value } }
        let record = RenewalRecord()
        let error = try await failure { try await party.renew(held, TokenRequest(reason: .forced), record) }
        #expect(error.reason == (value == nil || name != "token_type" ? .malformedAnswer : .unsupported))
        #expect(error.delivery == .answered)
        let shown = "\(error) \(String(reflecting: error))"
        #expect(!shown.contains("refresh-1") && !shown.contains("access-1"))
        #expect(record.commits.count == 1)
        let kept = try #require(record.commits.last)
        #expect(kept.refreshToken?.value == Secret("refresh-1"))
        #expect(kept.accessTokens == held.accessTokens)
        #expect(kept.idToken == held.idToken)
    }

    @Test func `an unusable answer without a new refresh token changes nothing`() async throws {
        let party = try RelyingParty()
        let held = try await party.signIn()
        party.issuer.script { script in
            script.tokens = { tokens in
                tokens["refresh_token"] = nil
                tokens["token_type"] = "mac"
            }
        }
        let record = RenewalRecord()
        let error = try await failure { try await party.renew(held, TokenRequest(reason: .forced), record) }
        #expect(error.delivery == .answered)
        #expect(record.commits.isEmpty)
    }

    @Test(arguments: ["not a token", "e30.bm8.AA"])
    func `a kept ID token that cannot be read is not passed over`(_ text: String) async throws {
        let party = try RelyingParty()
        var held = try await party.signIn()
        held.idToken = HeldToken(Secret(text), type: "id_token")
        let record = RenewalRecord()
        let error = try await failure { try await party.renew(held, TokenRequest(reason: .forced), record) }
        #expect(error.reason == .invalidIDToken)
        #expect(error.remedy == .signInAgain)
        #expect(record.commits.last?.refreshToken?.value == Secret("refresh-1"))
        #expect(record.commits.last?.accessTokens == held.accessTokens)
    }

    @Test func `without a refresh token a person must sign in`() async throws {
        let party = try RelyingParty()
        party.issuer.script { $0.tokens = { $0["refresh_token"] = nil } }
        let held = try await party.signIn()
        let error = try await failure { try await party.renew(held) }
        #expect(error.reason == .signInNeeded)
        #expect(error.remedy == .signInAgain)
        #expect(error.delivery == nil)
    }

    @Test func `a nonce at refresh must be that of the sign-in`() async throws {
        let party = try RelyingParty()
        let held = try await party.signIn()
        party.issuer.script { $0.claims = { $0["nonce"] = "another" } }
        #expect(await code { try await party.renew(held) } == .invalidIDToken)
        let nonce = try #require(party.issuer.lastAuthorization.first { $0.name == "nonce" }?.value)
        party.issuer.withState { $0.refreshes = 0 }
        party.issuer.script { $0.claims = { $0["nonce"] = .string(nonce) } }
        _ = try await party.renew(held)
    }

    @Test func `keys that cannot be had at refresh do not count as an unanswered token`() async throws {
        let party = try RelyingParty()
        let held = try await party.signIn()
        let fresh = try RelyingParty(party.issuer)
        party.issuer.script { $0.unreachable = "/tenant/jwks" }
        let record = RenewalRecord()
        let error = try await failure { try await fresh.renew(held, TokenRequest(reason: .forced), record) }
        #expect(error.reason == .unavailable)
        #expect(error.remedy == .retry(after: nil))
        #expect(error.delivery == .answered)
        #expect(record.commits.last?.refreshToken?.value == Secret("refresh-1"))
    }
}
