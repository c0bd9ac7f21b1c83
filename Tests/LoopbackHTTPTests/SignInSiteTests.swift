import AuthKitCore
import AuthKitTesting
import Testing

@testable import LoopbackHTTP

/// A sign-in page that comes back by script, and to another path when it failed.
@Suite(.timeLimit(.minutes(1))) struct SignInSiteTests {
    private static let origin = "https://site.example"
    private static let redirect = "http://127.0.0.1:0/login/success"
    private let site = SignInSite(origin: Self.origin, failurePath: "/login/failure")
    private let offered = Answers()

    /// What was offered, in order.
    private final class Answers: Sendable {
        let seen = Guarded<[[String]]>([])
    }

    private func fixture(_ site: SignInSite?) async throws -> SignInFixture {
        try await SignInFixture([Self.redirect], site: site)
    }

    private func present(_ fixture: SignInFixture) -> Task<RedirectAnswer, any Error> {
        Task { [receiver = fixture.receiver, offered] in
            try await receiver.present("https://site.example/signin") { answer in
                offered.seen.withLock { $0.append(answer.parameters.map { "\($0.name)=\($0.value)" }) }
                return answer.single("state") == "s1"
            }
        }
    }

    private func end(_ waiting: Task<RedirectAnswer, any Error>) async {
        waiting.cancel()
        await #expect(throws: CancellationError.self) { _ = try await waiting.value }
    }

    @Test func `a failure is shown and handed on without anything else, and the wait goes on`() async throws {
        let fixture = try await fixture(site)
        let waiting = present(fixture)
        await fixture.announced()
        for query in ["", "?error=denied&error_description=no&state=s1&RefreshToken=t"] {
            let answer = try await RawClient.request("GET", "/login/failure\(query)", port: fixture.port)
            #expect(answer.status == 200)
            #expect(answer.body.contains("<title>The sign-in did not succeed there</title>"))
        }
        #expect(offered.seen.withLock { $0 } == [["error=login_failed"], ["error=denied", "error_description=no"]])
        let page = Task { try await RawClient.request("GET", "/login/success?state=s1", port: fixture.port) }
        #expect(try await waiting.value.single("state") == "s1")
        await fixture.receiver.finish(.signedIn(account: nil))
        #expect(try await page.value.status == 200)
    }

    @Test func `the page's own scripts may ask and read, nobody else's`() async throws {
        let fixture = try await fixture(site)
        let waiting = present(fixture)
        await fixture.announced()
        func ask(_ method: String, _ path: String, _ origin: String) async throws -> RawResponse {
            let fields = ["Origin: \(origin)"]
            return try await RawClient.request(method, path, port: fixture.port, fields: fields)
        }
        for (method, path, status) in [("OPTIONS", "/login/success", 204), ("GET", "/login/success", 400)] {
            let own = try await ask(method, path, Self.origin)
            #expect(own.status == status)
            #expect(own.fields.all(named: "Access-Control-Allow-Origin") == [Self.origin])
            #expect(own.fields.first(named: "Access-Control-Allow-Credentials") == "true")
            #expect(own.fields.first(named: "Vary") == "Origin")
            for other in ["https://evil.example", "null", "https://site.example.evil", "http://site.example"] {
                let answer = try await ask(method, path, other)
                #expect(answer.fields.first(named: "Access-Control-Allow-Origin") == nil)
            }
        }
        await end(waiting)
    }

    @Test func `without such a site there is no failure path and no other origin`() async throws {
        let fixture = try await fixture(nil)
        let waiting = present(fixture)
        await fixture.announced()
        #expect(try await RawClient.request("GET", "/login/failure", port: fixture.port).status == 404)
        let fields = ["Origin: \(Self.origin)"]
        let answer = try await RawClient.request("OPTIONS", "/login/success", port: fixture.port, fields: fields)
        #expect(answer.status == 405)
        #expect(answer.fields.first(named: "Access-Control-Allow-Origin") == nil)
        await end(waiting)
    }
}
