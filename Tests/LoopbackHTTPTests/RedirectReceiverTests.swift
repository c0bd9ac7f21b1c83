import AuthKitCore
import AuthKitTesting
import Glibc
import Testing

@testable import LoopbackHTTP

@Suite(.timeLimit(.minutes(1))) struct RedirectReceiverTests {
    @Test func `the page is held until the outcome is known, then delivered, then the port closes`() async throws {
        let fixture = try await SignInFixture()
        let waiting = await fixture.present()
        let page = fixture.comeBack()
        let answer = try await waiting.value
        #expect(answer.single("code") == "c1")
        await fixture.receiver.finish(.signedIn(account: "Zoë <b>&\"'"))
        let response = try await page.value
        #expect(response.status == 200)
        #expect(response.body.contains("<title>You are signed in</title>"))
        #expect(response.body.contains("Zoë &lt;b&gt;&amp;&quot;&#39;"))
        #expect(!response.body.contains("<b>"))
        #expect(RawClient.connect(fixture.port) == nil)
    }

    @Test func `a failure is told with its reason, escaped`() async throws {
        let fixture = try await SignInFixture()
        let waiting = await fixture.present()
        let page = fixture.comeBack("error=access_denied&state=s1")
        #expect(try await waiting.value.single("error") == "access_denied")
        await fixture.receiver.finish(.failed(message: "The issuer said <script>no</script>."))
        let body = try await page.value.body
        #expect(body.contains("You are not signed in"))
        #expect(body.contains("The issuer said &lt;script&gt;no&lt;/script&gt;."))
        #expect(!body.contains("<script"))
    }

    @Test func `a request for another host is refused with 421`() async throws {
        let fixture = try await SignInFixture()
        let waiting = await fixture.present()
        let hosts = ["127.0.0.1", "localhost:\(fixture.port)", "evil.example:\(fixture.port)", "127.0.0.1:1"]
        for host in hosts {
            let answer = try await RawClient.request("GET", "/callback?state=s1", port: fixture.port, host: host)
            #expect(answer.status == 421)
        }
        let two = "Host: 127.0.0.1:\(fixture.port)"
        let answer = try await RawClient.request("GET", "/callback?state=s1", port: fixture.port, fields: [two])
        #expect(answer.status == 421 || answer.status == 400)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { _ = try await waiting.value }
    }

    @Test func `other paths are 404 and other methods 405`() async throws {
        let fixture = try await SignInFixture()
        let waiting = await fixture.present()
        for path in ["/", "/callback/", "/Callback", "/%63allback", "/favicon.ico", "//callback"] {
            #expect(try await RawClient.request("GET", "\(path)?state=s1", port: fixture.port).status == 404)
        }
        for method in ["HEAD", "PUT", "DELETE", "OPTIONS"] {
            let answer = try await RawClient.request(method, "/callback?state=s1", port: fixture.port)
            #expect(answer.status == 405)
            #expect(answer.fields.first(named: "Allow") == "GET, POST")
        }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { _ = try await waiting.value }
    }

    @Test func `a stranger's answer gets 400 and waiting goes on`() async throws {
        let fixture = try await SignInFixture()
        let waiting = await fixture.present()
        for query in ["", "?code=c0", "?state=s2&code=c0", "?state=s1&state=s1&code=c0", "?state=s1&code=%zz"] {
            let answer = try await RawClient.request("GET", "/callback\(query)", port: fixture.port)
            #expect(answer.status == 400)
            #expect(answer.body.contains("It goes on waiting"))
        }
        let page = fixture.comeBack()
        #expect(try await waiting.value.single("code") == "c1")
        await fixture.receiver.finish(.signedIn(account: nil))
        #expect(try await page.value.status == 200)
    }

    @Test func `a second answer with the right state is refused and changes nothing`() async throws {
        let fixture = try await SignInFixture()
        let waiting = await fixture.present()
        let page = fixture.comeBack()
        #expect(try await waiting.value.single("code") == "c1")
        let second = try await RawClient.request("GET", "/callback?state=s1&code=c2", port: fixture.port)
        #expect(second.status == 400)
        #expect(second.body.contains("answered already"))
        await fixture.receiver.finish(.signedIn(account: "me@example.com"))
        #expect(try await page.value.body.contains("me@example.com"))
    }

    @Test func `a posted form is an answer, and its query is not`() async throws {
        let fixture = try await SignInFixture()
        let waiting = await fixture.present()
        let mixed = try await RawClient.post("/callback?state=s1&code=query", form: "code=c0", port: fixture.port)
        #expect(mixed.status == 400)
        let typed = try await RawClient.request(
            "POST",
            "/callback",
            port: fixture.port,
            fields: ["Content-Type: text/plain"],
            body: "state=s1"
        )
        #expect(typed.status == 400)
        let page = Task { [port = fixture.port] in
            try await RawClient.post("/callback", form: "state=s1&code=a%2Bb+c", port: port)
        }
        #expect(try await waiting.value.single("code") == "a+b c")
        await fixture.receiver.finish(.signedIn(account: nil))
        #expect(try await page.value.status == 200)
    }

    @Test func `a posted form beyond 1 MiB is refused and waiting goes on`() async throws {
        let fixture = try await SignInFixture()
        let waiting = await fixture.present()
        let form = "state=s1&code=" + String(repeating: "x", count: 1 << 20)
        #expect(try await RawClient.post("/callback", form: form, port: fixture.port).status == 413)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { _ = try await waiting.value }
    }

    @Test func `an outcome that takes too long leaves a page that promises nothing`() async throws {
        let fixture = try await SignInFixture()
        let waiting = await fixture.present()
        let page = fixture.comeBack()
        _ = try await waiting.value
        // The handler's deadline and the page's patience.
        await fixture.time.waitForSleepers(2)
        fixture.time.advance(by: .seconds(30))
        let response = try await page.value
        #expect(response.status == 200)
        #expect(response.body.contains("see whether you are signed in"))
        await fixture.receiver.finish(.signedIn(account: nil))
        #expect(RawClient.connect(fixture.port) == nil)
    }

    @Test func `every answer forbids storing, referrers, sniffing, framing and content from elsewhere`() async throws {
        let fixture = try await SignInFixture()
        let waiting = await fixture.present()
        var answers = [
            try await RawClient.request("GET", "/nothing", port: fixture.port),
            try await RawClient.request("GET", "/callback", port: fixture.port),
            try await RawClient.request("PUT", "/callback", port: fixture.port),
            try await RawClient.request("GET", "/callback", port: fixture.port, host: "evil.example"),
        ]
        let page = fixture.comeBack()
        _ = try await waiting.value
        await fixture.receiver.finish(.signedIn(account: "me"))
        answers.append(try await page.value)
        for answer in answers {
            #expect(answer.fields.first(named: "Cache-Control") == "no-store")
            #expect(answer.fields.first(named: "Referrer-Policy") == "no-referrer")
            #expect(answer.fields.first(named: "X-Content-Type-Options") == "nosniff")
            let policy = answer.fields.first(named: "Content-Security-Policy") ?? ""
            #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
            #expect(answer.fields.first(named: "Server") == nil)
            #expect(!answer.body.contains("c1"))
        }
    }

    @Test func `fifty strangers at a time do not disturb the answer`() async throws {
        let fixture = try await SignInFixture()
        let waiting = await fixture.present()
        let port = fixture.port
        let strangers = Task {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        try await RawClient.request("GET", "/callback?state=x\(number)", port: port).status
                    }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
        }
        let page = fixture.comeBack()
        #expect(try await waiting.value.single("code") == "c1")
        #expect(try await strangers.value == Array(repeating: 400, count: 50))
        await fixture.receiver.finish(.signedIn(account: nil))
        #expect(try await page.value.status == 200)
    }

    @Test func `connections that dawdle do not block the answer`() async throws {
        let fixture = try await SignInFixture()
        let waiting = await fixture.present()
        let slow = (0..<150).compactMap { _ in RawClient.connect(fixture.port) }
        for descriptor in slow { _ = RawClient.write("GET /callback?st", to: descriptor) }
        let page = fixture.comeBack()
        #expect(try await waiting.value.single("code") == "c1")
        await fixture.receiver.finish(.signedIn(account: nil))
        #expect(try await page.value.status == 200)
        for descriptor in slow { close(descriptor) }
    }

    @Test func `after a refusal its bringer is told why, and the next answer counts`() async throws {
        let fixture = try await SignInFixture()
        let waiting = await fixture.present()
        let strangers = fixture.comeBack("state=s1&code=forged")
        #expect(try await waiting.value.single("code") == "forged")
        let receiver = fixture.receiver
        let again = Task {
            try await receiver.waitAgain(refusing: "The code was made up.") { $0.single("code") == "genuine" }
        }
        let refused = try await strangers.value
        #expect(refused.status == 200)
        #expect(refused.body.contains("You are not signed in"))
        #expect(refused.body.contains("The code was made up."))
        #expect(try await fixture.comeBack("state=s1&code=forged").value.status == 400)
        let page = fixture.comeBack("state=s1&code=genuine")
        #expect(try await again.value.single("code") == "genuine")
        await receiver.finish(.signedIn(account: "Ada"))
        #expect(try await page.value.body.contains("You are signed in"))
    }

    @Test func `who has accepted nothing cannot wait again`() async throws {
        let fixture = try await SignInFixture()
        let waiting = await fixture.present()
        let error = await #expect(throws: LoopbackError.self) {
            try await fixture.receiver.waitAgain(refusing: "No.") { _ in true }
        }
        #expect(error?.reason == .alreadyUsed)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { _ = try await waiting.value }
    }
}
