import AuthKitCore
import AuthKitTesting
import ProviderOIDC
import Testing

@Suite struct AuthorizationAnswerTests {
    /// Signs in with an answer that is no good and expects that its code is not sent.
    private func refused(
        announcesIssuer: Bool = false,
        _ change: @escaping @Sendable (inout ScriptedIssuer.Parameters) -> Void
    ) async throws -> OIDCError {
        let party = try RelyingParty()
        party.issuer.script { script in
            script.answer = change
            if announcesIssuer {
                script.discovery = { $0["authorization_response_iss_parameter_supported"] = true }
            }
        }
        let error = try await failure { try await party.signIn() }
        #expect(party.issuer.count("/tenant/token") == 0)
        #expect(party.agent.outcomes == [.failed(message: error.detail)])
        return error
    }

    @Test func `RFC 9207: another issuer is refused before the code is used`() async throws {
        #expect(try await refused { $0.append(("iss", "https://op.example/tenant1")) }.reason == .wrongIssuer)
    }

    @Test func `RFC 9207: a slash more is another issuer`() async throws {
        #expect(try await refused { $0.append(("iss", "https://op.example/tenant/")) }.reason == .wrongIssuer)
    }

    @Test func `RFC 9207: an announced issuer must be there`() async throws {
        #expect(try await refused(announcesIssuer: true) { _ in }.reason == .wrongIssuer)
    }

    @Test func `RFC 9207: the right issuer is accepted`() async throws {
        let party = try RelyingParty()
        party.issuer.script { script in
            script.discovery = { $0["authorization_response_iss_parameter_supported"] = true }
            script.answer = { $0.append(("iss", "https://op.example/tenant")) }
        }
        #expect(try await party.signIn().account?.subject == "subject-1")
        #expect(party.issuer.count("/tenant/token") == 1)
    }

    @Test func `RFC 9207: an error of another issuer is not believed`() async throws {
        let error = try await refused { $0 = [("error", "access_denied"), $0[1], ("iss", "https://evil.example")] }
        #expect(error.reason == .wrongIssuer)
        #expect(error.issuerError == nil)
    }

    @Test func `repeated parameters are refused`() async throws {
        #expect(try await refused { $0.append(("code", "other")) }.reason == .malformedAnswer)
        #expect(
            try await refused { $0 += [("session_state", "a"), ("session_state", "b")] }.reason == .malformedAnswer
        )
    }

    @Test func `an answer without code is refused`() async throws {
        #expect(try await refused { $0.removeFirst() }.reason == .malformedAnswer)
        #expect(try await refused { $0[0].value = "" }.reason == .malformedAnswer)
    }

    @Test(arguments: [
        ("access_denied", OIDCError.Code.refused, Remedy.signInAgain),
        ("login_required", .refused, .signInAgain),
        ("invalid_scope", .refused, .fixConfiguration),
        ("unauthorized_client", .refused, .fixConfiguration),
        ("temporarily_unavailable", .unavailable, .retry(after: nil)),
    ])
    func `an error answer says what to do`(_ error: String, _ code: OIDCError.Code, _ remedy: Remedy) async throws {
        let failure = try await refused { $0 = [("error", error), ("error_description", "why\nnot"), $0[1]] }
        #expect(failure.reason == code)
        #expect(failure.remedy == remedy)
        #expect(failure.issuerError == OAuthErrorBody(error: error, description: "why not"))
    }

    @Test func `answers with another state, or none, are passed over`() async throws {
        let issuer = ScriptedIssuer()
        let agent = ScriptedAgent { url in
            let good = issuer.authorize(url)
            let code = ("code", good.single("code") ?? "")
            return [
                RedirectAnswer(parameters: [code]),
                RedirectAnswer(parameters: [code, ("state", "x")]),
                RedirectAnswer(parameters: [code, ("state", String((good.single("state") ?? "").dropLast()))]),
                RedirectAnswer(parameters: [("error", "access_denied")]),
                good,
            ]
        }
        let party = try RelyingParty(issuer, agent: agent)
        _ = try await party.signIn()
        #expect(agent.refused == 4)
        #expect(issuer.count("/tenant/token") == 1)
    }

    @Test(.timeLimit(.minutes(1))) func `a sign-in that nobody finishes ends at its deadline`() async throws {
        let issuer = ScriptedIssuer()
        let agent = ScriptedAgent { _ in [] }
        let party = try RelyingParty(issuer, agent: agent)
        async let reason = code { try await party.signIn() }
        await issuer.time.waitForSleepers(1)
        issuer.time.advance(by: .seconds(121))
        #expect(await reason == .signInTimedOut)
        #expect(agent.outcomes.count == 1)
    }

    @Test func `form_post answers are taken the same way`() async throws {
        let party = try RelyingParty { $0.responseMode = .formPost }
        _ = try await party.signInAndReadUserInfo()
        #expect(party.issuer.lastAuthorization.first { $0.name == "response_mode" }?.value == "form_post")
    }

    @Test func `each check is traced with its clause`() async throws {
        let tracer = RecordingTracer()
        let party = try RelyingParty()
        try await Trace.$tracer.withValue(tracer) { _ = try await party.signIn() }
        let lines = tracer.lines.joined(separator: "\n")
        for clause in ["OpenID Discovery §4.3", "RFC 6749 §10.12", "OpenID Core §3.1.3.7 (11)", "OpenID Core §3.1.3.8"]
        {
            #expect(lines.contains(clause))
        }
        #expect(!lines.contains("code-1"))
        #expect(!lines.contains("failed"))
    }
}
