import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// What the statuses of NSDK services mean (Sites, gateways, the REST interface).
@Suite struct ServiceAnswerTests {
    @Test(arguments: [
        (400, NianticError.Code.requestRefused, Remedy.fixConfiguration), (401, .tokenRejected, .signInAgain),
        (403, .notPermitted, .fixConfiguration), (404, .missingEndpoint, .fixConfiguration),
        (405, .missingEndpoint, .fixConfiguration), (408, .unavailable, .retry(after: nil)),
        (409, .requestRefused, .fixConfiguration), (425, .unavailable, .retry(after: nil)),
        (429, .unavailable, .retry(after: nil)), (500, .unavailable, .retry(after: nil)),
        (502, .unavailable, .retry(after: nil)), (503, .unavailable, .retry(after: nil)),
    ])
    func `each status has a code and a remedy`(
        _ status: Int,
        _ code: NianticError.Code,
        _ remedy: Remedy
    ) throws {
        let error = try serviceFailure(status)
        #expect(error.reason == code)
        #expect(error.remedy == remedy)
        #expect(error.delivery == (status >= 500 ? .answeredUnclear : .answered))
        #expect(error.detail.contains("status \(status)"))
    }

    @Test(arguments: [200, 201, 204, 206])
    func `a success is no failure`(_ status: Int) throws {
        let url = try #require(WebURL("https://api.example/v1"))
        let response = HTTPResponse(status: status, url: url, receivedAt: ManualTime().now)
        #expect(ServiceAnswer.failure(of: response) == nil)
    }

    @Test func `a time that the service names counts`() throws {
        #expect(try serviceFailure(429, retryAfter: "3").remedy == .retry(after: .seconds(3)))
        #expect(try serviceFailure(503, retryAfter: "4").remedy == .retry(after: .seconds(4)))
    }

    @Test func `the service's words are told, its address without a query`() throws {
        let error = try serviceFailure(403, #"{"error":"missing_scope","message":"VPS API"}"#)
        #expect(error.issuerError?.error == "missing_scope")
        #expect(error.issuerError?.description == "VPS API")
        #expect(error.detail.contains("https://api.example:443"))
        #expect(!error.detail.contains("/v1/sites"))
    }
}
