import Testing

@testable import AuthKitCore

/// What a challenge is answered with.
@Suite struct ReplayPlanTests {
    private func challenge(_ error: String?) throws -> AuthorizationChallenge {
        let value = error.map { "Bearer error=\"\($0)\"" } ?? "Bearer"
        return try #require(AuthorizationChallenge(status: 401, fields: [HTTPField("WWW-Authenticate", value)]))
    }

    private func steps(_ errors: [String?], hasNonce: Bool = true) throws -> [ReplayPlan.Step] {
        var plan = ReplayPlan()
        return try errors.map { plan.step(for: try challenge($0), hasNonce: hasNonce) }
    }

    @Test func `a nonce is used once, a refused token renewed once`() throws {
        #expect(try steps(["use_dpop_nonce", "use_dpop_nonce"]) == [.replay, .fail(.tokenRefused)])
        #expect(try steps(["invalid_token", "invalid_token"]) == [.renew, .fail(.tokenRefused)])
        #expect(try steps([nil, "invalid_token"]) == [.renew, .fail(.tokenRefused)])
    }

    @Test func `each cause once makes two sends more, and no third`() throws {
        #expect(try steps(["use_dpop_nonce", "invalid_token", nil]) == [.replay, .renew, .fail(.tokenRefused)])
        #expect(try steps([nil, "use_dpop_nonce", "use_dpop_nonce"]) == [.renew, .replay, .fail(.tokenRefused)])
    }

    @Test func `what a renewal cannot mend is told at once`() throws {
        #expect(try steps(["insufficient_scope"]) == [.fail(.insufficientScope)])
        #expect(try steps(["insufficient_user_authentication"]) == [.fail(.stepUpNeeded)])
        #expect(try steps(["invalid_request"]) == [.fail(.tokenRefused)])
        #expect(try steps(["invalid_dpop_proof"]) == [.fail(.tokenRefused)])
        #expect(try steps(["use_dpop_nonce"], hasNonce: false) == [.fail(.tokenRefused)])
    }
}
