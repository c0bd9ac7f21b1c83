import AuthKitCore
import AuthKitTesting
import ProviderOIDC
import Testing

/// What a refresh makes of every kind of unhappy answer.
@Suite struct EndpointFailureTests {
    struct Answer: Sendable {
        var status: Int
        var body = ""
        var type = "application/json"
        var fields: [HTTPField] = []
    }

    private func refresh(_ answer: Answer) async throws -> OIDCError {
        let party = try RelyingParty()
        let held = try await party.signIn()
        party.issuer.script { script in
            script.replace = { path, response in
                guard path == "/tenant/token" else { return response }
                return HTTPResponse(
                    status: answer.status,
                    fields: [HTTPField("Content-Type", answer.type)] + answer.fields,
                    body: Array(answer.body.utf8),
                    url: response.url,
                    receivedAt: response.receivedAt
                )
            }
        }
        return try await failure { try await party.renew(held) }
    }

    @Test(arguments: [
        (400, "invalid_grant", OIDCError.Code.refreshRefused, Remedy.signInAgain, Delivery.answered),
        (403, "invalid_code", .refreshRefused, .signInAgain, .answered),
        (200, "bad_refresh_token", .refreshRefused, .signInAgain, .answered),
        (401, "invalid_client", .clientRefused, .fixConfiguration, .answered),
        (400, "unauthorized_client", .clientRefused, .fixConfiguration, .answered),
        (400, "unsupported_grant_type", .tokenRefused, .fixConfiguration, .answered),
        (400, "invalid_scope", .tokenRefused, .fixConfiguration, .answered),
        (400, "never_heard_of", .tokenRefused, .fixConfiguration, .answered),
        (400, "slow_down", .unavailable, .retry(after: nil), .answered),
        (400, "temporarily_unavailable", .unavailable, .retry(after: nil), .answered),
        (503, "temporarily_unavailable", .unavailable, .retry(after: nil), .answeredUnclear),
        (500, "server_error", .unavailable, .retry(after: nil), .answeredUnclear),
        (500, "never_heard_of", .unavailable, .retry(after: nil), .answeredUnclear),
        (503, "invalid_grant", .unavailable, .retry(after: nil), .answeredUnclear),
        (500, "invalid_client", .unavailable, .retry(after: nil), .answeredUnclear),
        (408, "invalid_grant", .unavailable, .retry(after: nil), .answered),
        (425, "login_required", .unavailable, .retry(after: nil), .answered),
        (429, "invalid_grant", .unavailable, .retry(after: nil), .answered),
    ])
    func `an OAuth error decides unless the status says not now`(
        _ status: Int,
        _ error: String,
        _ code: OIDCError.Code,
        _ remedy: Remedy,
        _ delivery: Delivery
    ) async throws {
        let failure = try await refresh(Answer(status: status, body: #"{"error":"\#(error)"}"#))
        #expect(failure.reason == code)
        #expect(failure.remedy == remedy)
        #expect(failure.delivery == delivery)
        #expect(failure.issuerError?.error == error)
    }

    @Test(arguments: [
        (408, OIDCError.Code.unavailable, Remedy.retry(after: nil), Delivery.answered),
        (425, .unavailable, .retry(after: nil), .answered),
        (429, .unavailable, .retry(after: nil), .answered),
        (500, .unavailable, .retry(after: nil), .answeredUnclear),
        (502, .unavailable, .retry(after: nil), .answeredUnclear),
        (503, .unavailable, .retry(after: nil), .answeredUnclear),
        (302, .malformedAnswer, .fixConfiguration, .answeredUnclear),
        (404, .missingEndpoint, .fixConfiguration, .answered),
        (400, .tokenRefused, .retry(after: nil), .answeredUnclear),
        (401, .clientRefused, .fixConfiguration, .answered),
        (403, .tokenRefused, .fixConfiguration, .answered),
    ])
    func `a bare status decides by itself`(
        _ status: Int,
        _ code: OIDCError.Code,
        _ remedy: Remedy,
        _ delivery: Delivery
    ) async throws {
        let failure = try await refresh(Answer(status: status))
        #expect(failure.reason == code)
        #expect(failure.remedy == remedy)
        #expect(failure.delivery == delivery)
    }

    @Test func `a refusal without a reason signs nobody out and says what to do if it lasts`() async throws {
        let failure = try await refresh(Answer(status: 400))
        #expect(failure.remedy == .retry(after: nil))
        #expect(failure.detail.contains("refused the refresh without a reason"))
        #expect(failure.detail.hasSuffix("try again, and sign in again if it lasts."))
        #expect(!failure.isProtocolViolation)
    }

    @Test(arguments: [200, 203, 400, 403, 500, 503])
    func `a page never signs anybody out and is never repeated`(_ status: Int) async throws {
        let failure = try await refresh(Answer(status: status, body: "<html>Zauberwort</html>", type: "text/html"))
        #expect(failure.reason == .unavailable)
        #expect(failure.remedy == .retry(after: nil))
        #expect(failure.delivery == .answeredUnclear)
        #expect(!failure.detail.contains("Zauberwort"))
    }

    @Test func `an error that repeats the refresh token is not passed on`() async throws {
        let body = #"{"error":"invalid_grant","error_description":"token refresh-0 is dead"}"#
        let failure = try await refresh(Answer(status: 400, body: body))
        #expect(failure.issuerError?.error == "invalid_grant")
        #expect(!"\(failure) \(String(describing: failure.issuerError))".contains("refresh-0"))
    }

    @Test func `Retry-After in seconds is heeded`() async throws {
        let failure = try await refresh(Answer(status: 503, fields: [HTTPField("Retry-After", "120")]))
        #expect(failure.remedy == .retry(after: .seconds(120)))
    }

    @Test(arguments: [
        "Fri, 15 Jan 2027 08:02:00 GMT", "Friday, 15-Jan-27 08:02:00 GMT", "Fri Jan 15 08:02:00 2027",
    ])
    func `Retry-After as a date is heeded`(_ date: String) async throws {
        let failure = try await refresh(Answer(status: 429, fields: [HTTPField("Retry-After", date)]))
        #expect(failure.remedy == .retry(after: .seconds(120)))
    }

    @Test func `a date is measured by the server's clock where it shows one`() async throws {
        let fields = [
            HTTPField("Date", "Fri, 15 Jan 2027 07:00:00 GMT"),
            HTTPField("Retry-After", "Fri, 15 Jan 2027 07:00:30 GMT"),
        ]
        #expect(try await refresh(Answer(status: 503, fields: fields)).remedy == .retry(after: .seconds(30)))
    }

    @Test(arguments: [
        ("99999999999999999999", Remedy.retry(after: .seconds(86_400))),
        ("-5", .retry(after: nil)),
        ("later", .retry(after: nil)),
        ("Fri, 15 Jan 2027 07:00:00 GMT", .retry(after: .zero)),
        ("Fri, 45 Jan 2027 07:00:00 GMT", .retry(after: nil)),
    ])
    func `an odd Retry-After does no harm`(_ text: String, _ remedy: Remedy) async throws {
        #expect(try await refresh(Answer(status: 503, fields: [HTTPField("Retry-After", text)])).remedy == remedy)
    }

    @Test func `what the transport throws is passed on`() async throws {
        let party = try RelyingParty()
        let held = try await party.signIn()
        let transport = StubTransport { _ in
            throw TransportError(.timedOut, delivery: .sentNoAnswer, detail: "No answer in time; try again.")
        }
        let provider = try OIDCProvider(party.provider.configuration, transport: transport, time: party.issuer.time)
        await #expect {
            let context = RenewalRecord().context(party.context, party.issuer)
            _ = try await provider.renew(held, for: TokenRequest(), in: context)
        } throws: { error in
            (error as? TransportError)?.delivery == .sentNoAnswer
        }
        #expect(transport.requests.count == 1)
    }
}
