import AuthKitCore
import Glibc
import Testing

@testable import LoopbackHTTP

@Suite(.timeLimit(.minutes(1))) struct LoopbackUserAgentTests {
    @Test func `a free port is taken before there is a URL and stands in the redirect URI`() async throws {
        let fixture = try await SignInFixture()
        #expect(fixture.port != 0)
        #expect(fixture.receiver.redirectURI == "http://127.0.0.1:\(fixture.port)/callback")
        #expect(fixture.announcement == nil)
        let early = try await RawClient.request("GET", "/callback?state=s1", port: fixture.port)
        #expect(early.status == 400)
        await fixture.receiver.finish(.failed(message: ""))
    }

    @Test func `the next redirect URI is taken when a port is busy`() async throws {
        let busy = try ListeningSocket.listen(v6: false, port: 0)
        let free = try freePort()
        let fixture = try await SignInFixture([
            "com.example.app:/callback", "http://127.0.0.1:\(busy.port)/callback",
            "http://127.0.0.1:\(free)/callback?a=b",
        ])
        #expect(fixture.receiver.redirectURI == "http://127.0.0.1:\(free)/callback?a=b")
        await fixture.receiver.finish(.failed(message: ""))
    }

    @Test func `when every port is busy the error names each`() async throws {
        let first = try ListeningSocket.listen(v6: false, port: 0)
        let second = try ListeningSocket.listen(v6: true, port: 0)
        let error = await #expect(throws: LoopbackError.self) {
            _ = try await SignInFixture(["http://127.0.0.1:\(first.port)/cb", "http://[::1]:\(second.port)/cb"])
        }
        #expect(error?.reason == .portBusy)
        #expect(error?.detail.contains("127.0.0.1:\(first.port)") == true)
        #expect(error?.detail.contains("[::1]:\(second.port)") == true)
    }

    @Test func `a localhost port that others have on IPv6 alone is refused`() async throws {
        let other = try ListeningSocket.listen(v6: true, port: 0)
        let error = await #expect(throws: LoopbackError.self) {
            _ = try await SignInFixture(["http://localhost:\(other.port)/cb"])
        }
        #expect(error?.reason == .portBusy)
        #expect(RawClient.connect(other.port) == nil)
    }

    @Test(
        arguments: [
            [], ["com.example.app:/cb"], ["https://127.0.0.1:0/cb"], ["http://192.0.2.1:0/cb"],
            ["http://127.0.0.2:0/cb"], ["http://localhost.example:0/cb"],
        ]
    )
    func `redirect URIs that are not on loopback are refused`(_ redirects: [String]) async throws {
        let error = await #expect(throws: LoopbackError.self) { _ = try await SignInFixture(redirects) }
        #expect(error?.reason == .unsupportedRedirect)
    }

    @Test func `localhost is answered on both families and IPv6 literals on theirs`() async throws {
        let both = try await SignInFixture(["http://localhost:0/callback"])
        let waiting = await both.present()
        for v6 in [false, true] {
            let answer = try await RawClient.request(
                "GET",
                "/callback?state=no",
                port: both.port,
                host: "localhost:\(both.port)",
                v6: v6
            )
            #expect(answer.status == 400)
        }
        waiting.cancel()
        await both.receiver.finish(.failed(message: ""))

        let six = try await SignInFixture(["http://[::1]:0/callback"])
        #expect(six.receiver.redirectURI == "http://[::1]:\(six.port)/callback")
        #expect(RawClient.connect(six.port) == nil)
        let receiving = await six.present()
        let page = Task { [port = six.port] in
            try await RawClient.request("GET", "/callback?state=s1", port: port, host: "[::1]:\(port)", v6: true)
        }
        #expect(try await receiving.value.single("state") == "s1")
        await six.receiver.finish(.signedIn(account: nil))
        #expect(try await page.value.status == 200)
    }

    @Test func `cancellation ends the wait and closes the port`() async throws {
        let fixture = try await SignInFixture()
        let waiting = await fixture.present()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { _ = try await waiting.value }
        #expect(RawClient.connect(fixture.port) == nil)
        await fixture.receiver.finish(.failed(message: ""))
    }

    @Test func `finishing without an answer closes, and twice is nothing`() async throws {
        let fixture = try await SignInFixture()
        await fixture.receiver.finish(.failed(message: "No."))
        #expect(RawClient.connect(fixture.port) == nil)
        await fixture.receiver.finish(.signedIn(account: nil))
    }

    @Test func `a receiver waits once`() async throws {
        let fixture = try await SignInFixture()
        let waiting = await fixture.present()
        let error = await #expect(throws: LoopbackError.self) {
            _ = try await fixture.receiver.present("https://issuer.example/", accepting: { _ in true })
        }
        #expect(error?.reason == .alreadyUsed)
        waiting.cancel()
        await fixture.receiver.finish(.failed(message: ""))
    }

    @Test func `the URL is announced first and a browser that cannot start harms nothing`() async throws {
        struct NoBrowser: BrowserOpening {
            let asked: Latch<String>
            func open(_ url: String) async -> Bool {
                asked.open(url)
                return false
            }
        }
        let asked = Latch<String>()
        let fixture = try await SignInFixture(browser: NoBrowser(asked: asked))
        let waiting = await fixture.present()
        #expect(await asked.wait() == "https://issuer.example/authorize?state=s1")
        #expect(fixture.announcement == "https://issuer.example/authorize?state=s1")
        let page = fixture.comeBack()
        #expect(try await waiting.value.single("code") == "c1")
        await fixture.receiver.finish(.signedIn(account: nil))
        #expect(try await page.value.status == 200)
    }

    private func freePort() throws -> UInt16 { try ListeningSocket.listen(v6: false, port: 0).port }
}
