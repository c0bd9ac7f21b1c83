import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// What each status and body of the identity endpoint means: retry, sign in again, or mend the configuration.
@Suite struct ClassificationTests {
    static let steps = [
        "refresh_user_session_access_token", "exchange_build_refresh_token", "refresh_build_access_token",
        "exchange_api_key_access_token",
    ]

    /// The error of one request that is answered like this.
    private func refusal(
        _ grant: String,
        _ status: Int,
        _ body: String = "",
        contentType: String = "application/json",
        fields: [HTTPField] = []
    ) async throws -> NianticError {
        let app = try SampleApp()
        var held = try await app.signedIn()
        app.service.script { script in
            script.replace = { called, response in
                guard called == grant else { return response }
                var response = response
                response.status = status
                response.body = Array(body.utf8)
                response.fields = [HTTPField("Content-Type", contentType)] + fields
                return response
            }
        }
        switch grant {
        case "exchange_api_key_access_token":
            let place = try KeyPlace()
            defer { place.remove() }
            let account = ServiceAccount(name: "a", keyFile: try place.write("key-1"))
            let provider = try ServiceAccountProvider(account, transport: app.service.transport)
            return try await failure {
                try await provider.renew(held, for: TokenRequest(), in: StepJournal().context(app.context, app.service))
            }
        case "refresh_build_access_token": held.companions = [:]
        default: held.refreshToken = nil
        }
        return try await failure { try await app.renew(held) }
    }

    @Test(arguments: steps, [400, 401, 403])
    func `400, 401 and 403 are the service's no`(_ grant: String, _ status: Int) async throws {
        let error = try await refusal(grant, status, #"{"error":"whatever"}"#)
        let isKey = grant == "exchange_api_key_access_token"
        #expect(error.remedy == (isKey ? .fixConfiguration : .signInAgain))
        #expect(error.delivery == .answered)
        #expect(error.issuerError?.error == "whatever")
        let codes: [NianticError.Code] = [.sessionRefused, .sessionRefused, .refreshRefused, .apiKeyRefused]
        #expect(error.reason == codes[Self.steps.firstIndex(of: grant) ?? 0])
    }

    @Test(arguments: steps, [408, 409, 423, 425, 429])
    func `a status that says "not now" signs nobody out`(_ grant: String, _ status: Int) async throws {
        let error = try await refusal(grant, status, #"{"error":"invalid_grant"}"#)
        #expect(error.remedy == .retry(after: nil))
        #expect(error.delivery == .answered)
    }

    @Test(arguments: steps, [500, 502, 503, 504, 520])
    func `a 5xx may pass, and says nothing of the token`(_ grant: String, _ status: Int) async throws {
        let error = try await refusal(grant, status, #"{"error":"invalid_grant"}"#)
        #expect(error.remedy == .retry(after: nil))
        #expect(error.delivery == .answeredUnclear)
    }

    @Test(arguments: [429, 503])
    func `Retry-After counts in seconds and as a date`(_ status: Int) async throws {
        let seconds = try await refusal(Self.steps[0], status, fields: [HTTPField("Retry-After", "17")])
        #expect(seconds.remedy == .retry(after: .seconds(17)))
        let date = try await refusal(
            Self.steps[0],
            status,
            fields: [
                HTTPField("Date", "Fri, 15 Jan 2027 08:00:00 GMT"),
                HTTPField("Retry-After", "Fri, 15 Jan 2027 08:00:30 GMT"),
            ]
        )
        #expect(date.remedy == .retry(after: .seconds(30)))
        let nonsense = try await refusal(Self.steps[0], status, fields: [HTTPField("Retry-After", "soon")])
        #expect(nonsense.remedy == .retry(after: nil))
    }

    @Test(arguments: steps, [404, 405, 410, 301, 302, 307, 402, 406, 413, 415, 422])
    func `everything else is a matter of configuration`(_ grant: String, _ status: Int) async throws {
        #expect(try await refusal(grant, status).remedy == .fixConfiguration)
    }

    @Test(arguments: steps, [200, 400, 401, 403, 404])
    func `a page from something in between is nobody's word`(_ grant: String, _ status: Int) async throws {
        let error = try await refusal(grant, status, "<html>Blocked</html>", contentType: "text/html; charset=utf-8")
        #expect(error.reason == .unavailable)
        #expect(error.remedy == .retry(after: nil))
        #expect(error.delivery == .answeredUnclear)
    }

    @Test(arguments: ["", "Unauthorized", "[]", "null"])
    func `a refusal without words, or in plain text, is one all the same`(_ body: String) async throws {
        let error = try await refusal(Self.steps[1], 401, body, contentType: "text/plain")
        #expect(error.remedy == .signInAgain)
        #expect(error.issuerError == nil)
    }

    @Test(
        arguments: [
            (#"{"error":"e1"}"#, "e1", nil), (#"{"error":"e1","error_description":"d"}"#, "e1", "d"),
            (#"{"error":"e1","message":"m"}"#, "e1", "m"), (#"{"error":{"code":"c","message":"m"}}"#, "c", "m"),
            (#"{"error":{"code":42}}"#, "42", nil), (#"{"error":{"message":"m"}}"#, "error", "m"),
            (#"{"message":"m"}"#, "error", "m"), (#"{"error":17}"#, "17", nil),
            (#"{"error":"a\u0007b"}"#, "a b", nil),
        ] as [(String, String, String?)]
    )
    func `the words of an error are read in any form`(_ body: String, _ code: String, _ text: String?) async throws {
        let error = try await refusal(Self.steps[1], 400, body)
        #expect(error.issuerError?.error == code)
        #expect(error.issuerError?.description == text)
    }

    @Test(arguments: ["temporarily_unavailable", "slow_down", "server_error", "being_processed"])
    func `words that say "not now" count in a 400`(_ word: String) async throws {
        #expect(try await refusal(Self.steps[2], 400, #"{"error":"\#(word)"}"#).remedy == .retry(after: nil))
    }

    @Test(arguments: ["unsupported_grant_type", "unauthorized_client", "invalid_client"])
    func `words about the request itself are a matter of configuration`(_ word: String) async throws {
        #expect(try await refusal(Self.steps[2], 400, #"{"error":"\#(word)"}"#).remedy == .fixConfiguration)
    }

    @Test(arguments: steps)
    func `a request that is called invalid is a refusal of what it brought`(_ grant: String) async throws {
        let error = try await refusal(grant, 400, #"{"error":"invalid_request"}"#)
        let isKey = grant == "exchange_api_key_access_token"
        #expect(error.remedy == (isKey ? .fixConfiguration : .signInAgain))
        #expect(error.reason != .requestRefused)
    }

    @Test(arguments: ["exchange_build_refresh_token", "refresh_build_access_token", "exchange_api_key_access_token"])
    func `a success without its token may pass`(_ grant: String) async throws {
        let empty = #"{"buildRefreshToken":"","buildAccessToken":"","accessToken":"a b"}"#
        for body in ["", "{}", "[]", empty, #"{"error":"x"}"#] {
            let error = try await refusal(grant, 200, body)
            #expect(error.reason == .malformedAnswer)
            #expect(error.remedy == .retry(after: nil))
        }
    }

    @Test(arguments: steps)
    func `an answer that repeats what was sent shows nothing of it`(_ grant: String) async throws {
        let app = try SampleApp()
        let held = try await app.signedIn()
        let token = try #require(held.companions["session"]).value.reveal()
        let error = try await refusal(grant, 400, #"{"error":"no: \#(token)","message":"key-1 \#(token)"}"#)
        let shown = "\(error) \(error.issuerError?.error ?? "") \(error.issuerError?.description ?? "")"
        #expect(!shown.contains(token))
    }

    @Test func `a transport's failure keeps its remedy and how far the request came`() async throws {
        let app = try SampleApp()
        let held = try await app.signedIn()
        app.service.script { script in
            script.before = { _ in
                throw TransportError(.connectionLost, delivery: .sentNoAnswer, detail: "The connection was lost.")
            }
        }
        let error = await #expect(throws: TransportError.self) { try await app.renew(held) }
        #expect(error?.delivery == .sentNoAnswer)
        #expect(error?.remedy == .retry(after: nil))
    }
}
