import AuthKitCore
import AuthKitDevServer
import Foundation
import Testing
import TransportCurl

@testable import authkit_cli

/// The NSDK's sample sign-in by whole commands.
@Suite struct NianticSignInTests {
    @Test func `a login makes three steps, and the token that is printed is the NSDK's`() async throws {
        let bench = try await NianticBench.start()
        let login = await bench.login()
        #expect(login.exit == .done, "\(login.messages)")
        let events = login.output.split(separator: "\n").compactMap { try? JSONValue(parsing: Array($0.utf8)) }
        #expect(events.compactMap { $0["event"]?.string } == ["authorization_url", "signed_in"])
        #expect(events.first?["url"]?.string?.hasSuffix("/signin?redirectType=nsdk-samples") == true)
        #expect(events.last?["subject"]?.string == "user-alice")
        #expect(events.last?["account"]?.string == "alice@example.org")
        #expect(events.last?["expires_at"]?.string?.hasSuffix("Z") == true)
        #expect(login.messages.contains("The answer that came signs in alice@example.org (user-alice)."))
        let statistics = bench.statistics
        #expect(statistics.sessionsRotated == 1 && statistics.refreshTokensMade == 1)
        #expect(statistics.accessTokensMade == 1 && statistics.reuseDetections == 0)
        let token = await bench.run("token").output.trimmingSpaces()
        #expect(try UnverifiedJWT(decoding: token).claims?["token_use"] == "build_access")
        #expect(await bench.run("token", "--format", "header").output == "Authorization: Bearer \(token)\n")
        await bench.server.stop()
        // A fresh token needs no server.
        #expect(await bench.run("token").output.trimmingSpaces() == token)
    }

    @Test func `status has the lives of all three tokens`() async throws {
        let bench = try await NianticBench.start()
        _ = await bench.login()
        let status = await bench.run("status", "--json").json
        #expect(status?["provider"]?.string == "niantic" && status?["state"]?.string == "signed_in")
        let tokens = status?["tokens"]?.array ?? []
        #expect(tokens.compactMap { $0["kind"]?.string } == ["access", "refresh", "session"])
        let lives = tokens.compactMap { $0["expires_in"]?.int64 }
        #expect(lives.count == 3 && lives[0] <= 3600 && lives[1] <= 86_400 && lives[2] > 86_400 * 29)
        let text = await bench.run("status").output
        for kind in ["access", "refresh", "session"] { #expect(text.contains("\(kind) token:")) }
        #expect(await bench.run("list", "--json").json?.array?.first?["account"]?.string == "alice@example.org")
        await bench.server.stop()
    }

    @Test func `refresh takes the shortest way: step 3 alone, all three when that token is refused`() async throws {
        let bench = try await NianticBench.start()
        _ = await bench.login()
        let before = await bench.run("token").output
        #expect(await bench.run("refresh", "--json").json?["refreshed"]?.bool == true)
        #expect(await bench.run("token").output != before)
        #expect(bench.statistics.sessionsRotated == 1 && bench.statistics.accessTokensMade == 2)
        bench.server.issuer.faults = [Fault(.nianticAccess, .status(401))]
        #expect(await bench.run("refresh").exit == .done)
        #expect(bench.statistics.sessionsRotated == 2 && bench.statistics.refreshTokensMade == 2)
        #expect(bench.statistics.accessTokensMade == 3 && bench.statistics.reuseDetections == 0)
        await bench.server.stop()
    }

    @Test func `another account than the stored one needs a flag, and leaves the stored one`() async throws {
        let bench = try await NianticBench.start()
        _ = await bench.login()
        let before = await bench.run("token").output
        let other = await bench.login(as: "bob")
        #expect(other.exit == .protocolViolation && other.errorCode == "account_changed")
        #expect(await bench.run("token").output == before)
        #expect(bench.statistics.sessionsRotated == 1)
        let switched = await bench.login(["--switch-account"], as: "bob")
        #expect(switched.exit == .done)
        #expect(switched.messages.contains("until now it was alice@example.org (user-alice)"))
        #expect(await bench.run("status", "--json").json?["subject"]?.string == "user-bob")
        await bench.server.stop()
    }

    @Test(arguments: [[], ["--switch-account"]])
    func `a login that is refused at step 2 leaves the earlier one as it was`(_ flags: [String]) async throws {
        let bench = try await NianticBench.start()
        _ = await bench.login()
        let before = await bench.run("token").output
        bench.server.issuer.faults = [Fault(.nianticRefresh, .status(401))]
        let login = await bench.login(flags, as: flags.isEmpty ? "alice" : "bob")
        #expect(login.exit == .signInNeeded, "\(login.messages)")
        #expect(bench.statistics.sessionsRotated == 2)
        #expect(await bench.run("token").output == before)
        let status = await bench.run("status", "--json").json
        #expect(status?["state"]?.string == "signed_in" && status?["subject"]?.string == "user-alice")
        // It is not only shown: its tokens are renewed as before.
        #expect(await bench.run("refresh").exit == .done)
        #expect(await bench.run("token").output != before)
        #expect(bench.statistics.reuseDetections == 0)
        await bench.server.stop()
    }

    @Test func `a callback of another account ends no login that waits for the stored one's`() async throws {
        let bench = try await NianticBench.start()
        _ = await bench.login()
        let sink = RecordingSink()
        async let login = bench.run(["login", "--no-browser", "--timeout", "30", "--json"], sink: sink)
        while SignInCommandTests.BrowsingInput.announced(in: sink) == nil { await Task.yield() }
        #expect(await bench.run("callback", try await bench.callback(user: "bob")).exit == .protocolViolation)
        #expect(await bench.run("callback", try await bench.callback()).exit == .done)
        #expect(await login.exit == .done)
        #expect(await bench.run("status", "--json").json?["subject"]?.string == "user-alice")
        await bench.server.stop()
    }

    @Test(arguments: [("y\n", ExitCode.done), ("no\n", .signInNeeded), ("\n", .signInNeeded)])
    func `a terminal is asked, and anything but a yes sends nothing`(_ answer: String, _ exit: ExitCode) async throws {
        let bench = try await NianticBench.start()
        let path = bench.harness.home + "/terminal"
        let made = unsafe mkfifo(path, 0o600)
        try #require(made == 0)
        let terminal = try #require(FileHandle(forUpdatingAtPath: path))
        try terminal.write(contentsOf: Data(answer.utf8))
        let login = await bench.login(terminal: path)
        #expect(login.exit == exit)
        if exit != .done {
            #expect(login.errorCode == "sign_in_declined")
            #expect(bench.statistics.exchanges.isEmpty)
        }
        try terminal.close()
        await bench.server.stop()
    }

    @Test func `a callback is taken once, while a login waits, and nothing else ends the wait`() async throws {
        let bench = try await NianticBench.start()
        let good = try await bench.callback()
        #expect(await bench.run("callback", good).exit == .negative)
        let sink = RecordingSink()
        async let login = bench.run(["login", "--no-browser", "--timeout", "30", "--json"], sink: sink)
        while SignInCommandTests.BrowsingInput.announced(in: sink) == nil { await Task.yield() }
        let token = good.split(separator: "refreshToken=")[1]
        let refused = [
            // Of another application, another place, two tokens, none, no token at all, and one that has ended.
            try await bench.callback(type: "nsdk-external"), "nsdk-samples://elsewhere/redirect?refreshToken=\(token)",
            "nsdk-samples://signin/redirect?refreshToken=\(token)&refreshToken=\(token)",
            "nsdk-samples://signin/redirect", "nsdk-samples://signin/redirect?refreshToken=abc",
            "nsdk-samples://signin/redirect?error=access_denied",
        ]
        for url in refused { #expect(await bench.run("callback", url).exit == .protocolViolation, "\(url)") }
        #expect(await bench.run("callback", "nonsense").exit == .badData)
        #expect(await bench.run(["callback", "-"], input: TextInput(text: good + "\n")).exit == .done)
        #expect(await login.exit == .done)
        // Twice, or late: nobody waits any more.
        #expect(await bench.run("callback", good).exit == .negative)
        #expect(bench.statistics.sessionsRotated == 1 && bench.statistics.reuseDetections == 0)
        await bench.server.stop()
    }

    /// A token that has the form of a session token and that the service never issued.
    private static func forged() throws -> String {
        let end = SystemTime().now.wall + .seconds(3600)
        let parts: [JSONObject] = [["alg": "RS256"], ["sub": "user-alice", "exp": .integer(end.seconds)]]
        return (parts.map { Base64URL.encode($0.serialized()) } + ["Zm9yZ2Vk"]).joined(separator: ".")
    }

    private static let waitsOn =
        "The identity endpoint refused the session token (status 401: invalid token); sign in again. "
        + "Until then the login waits for another answer; Ctrl-C ends it."

    @Test func `a forged callback is told and ends no login: the person's own is taken after it`() async throws {
        let bench = try await NianticBench.start()
        let sink = RecordingSink()
        async let login = bench.run(["login", "--no-browser", "--timeout", "30", "--json"], sink: sink)
        while SignInCommandTests.BrowsingInput.announced(in: sink) == nil { await Task.yield() }
        let forged = "nsdk-samples://signin/redirect?refreshToken=\(try Self.forged())"
        #expect(await bench.run("callback", forged).exit == .done)
        #expect(await bench.run("callback", forged).exit == .protocolViolation)
        #expect(sink.messages.contains(Self.waitsOn), "\(sink.messages)")
        #expect(await bench.run("callback", try await bench.callback()).exit == .done)
        #expect(await login.exit == .done)
        #expect(bench.statistics.sessionsRotated == 1)
        await bench.server.stop()
    }

    @Test func `a forged answer on loopback is shown as refused, and the person's own is taken after it`() async throws
    {
        let bench = try await NianticBench.start(["--redirect-type", "unity-editor"])
        let sink = RecordingSink()
        async let login = bench.run(["login", "--no-browser", "--timeout", "30", "--json"], sink: sink)
        while SignInCommandTests.BrowsingInput.announced(in: sink) == nil { await Task.yield() }
        let page = try #require(SignInCommandTests.BrowsingInput.announced(in: sink))
        let genuine = try await SignInCommandTests.BrowsingInput.follow("\(page)&user=alice")
        let place = genuine.prefix { $0 != "?" }
        let forged = try #require(WebURL("\(place)?RefreshToken=\(try Self.forged())"))
        let answer = try await CurlTransport().send(HTTPRequest("GET", forged))
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(text.contains("You are not signed in") && text.contains("refused the session token"))
        #expect(sink.messages.contains(Self.waitsOn))
        #expect(try await CurlTransport().send(HTTPRequest("GET", try #require(WebURL(genuine)))).status == 200)
        #expect(await login.exit == .done)
        await bench.server.stop()
    }

    @Test func `a pasted callback that is expired, malformed or another's ends the login`() async throws {
        var options = DevIssuerOptions()
        options.faults = [.expired, .malformed, .noToken].map { Fault(.nianticSignIn, $0) }
        let bench = try await NianticBench.start(options: options)
        for _ in options.faults {
            let outcome = await bench.login()
            #expect(outcome.exit == .protocolViolation && outcome.errorCode == "wrong_callback")
        }
        let text = await bench.run(["login", "--callback-url", "-"], input: TextInput(text: "hello"))
        #expect(text.exit == .badData)
        #expect(bench.statistics.exchanges.isEmpty)
        #expect(await bench.run("token").exit == .signInNeeded)
        await bench.server.stop()
    }

    @Test func `the editor's way comes to a loopback port`() async throws {
        let bench = try await NianticBench.start(["--redirect-type", "unity-editor"])
        let sink = RecordingSink()
        async let login = bench.run(["login", "--no-browser", "--timeout", "30", "--json"], sink: sink)
        while SignInCommandTests.BrowsingInput.announced(in: sink) == nil { await Task.yield() }
        let url = try #require(SignInCommandTests.BrowsingInput.announced(in: sink))
        #expect(url.contains("redirectType=unity-editor&port="))
        let back = try await SignInCommandTests.BrowsingInput.follow(url)
        #expect(back.contains("/login/success?RefreshToken="))
        let page = try await CurlTransport().send(HTTPRequest("GET", try #require(WebURL(back))))
        #expect(page.status == 200)
        #expect(await login.exit == .done)
        await bench.server.stop()
    }

    @Test func `logout tells where the browser signs out, without the token`() async throws {
        let bench = try await NianticBench.start()
        _ = await bench.login()
        let logout = await bench.run("logout", "--json", "--non-interactive")
        #expect(logout.exit == .done)
        #expect(logout.json?["end_session_url"]?.string == bench.server.issuer.url + "/signout")
        #expect(logout.json?["end_session"]?.string == "address_printed")
        #expect(await bench.run("token", "--json").errorCode == "signed_out")
        #expect(await bench.run("status", "--json").json?["tokens"]?.array?.isEmpty == true)
        _ = await bench.login()
        #expect(await bench.run("logout", "--json", "--local").json?["end_session_url"] == nil)
        await bench.server.stop()
    }

    @Test func `a trace draws the three steps and shows no token`() async throws {
        let bench = try await NianticBench.start()
        let login = await bench.login(["--trace"])
        let steps = ["Step 1 of 3", "Step 2 of 3", "Step 3 of 3"].map { step in
            login.messages.ranges(of: step).first?.lowerBound ?? login.messages.endIndex
        }
        #expect(steps == steps.sorted() && steps[2] != login.messages.endIndex)
        // What each step sends and what it brings, by name.
        let drawn = [
            "Cookie: <redacted>", #"{"grantType":"refresh_user_session_access_token"}"#,
            "Set-Cookie: refresh_token=<redacted>; Path", #"{"grantType":"exchange_build_refresh_token"}"#,
            "{buildRefreshToken=…, expiresAt=…}", "{grantType=refresh_build_access_token, buildRefreshToken=…}",
            "{buildAccessToken=…, expiresAt=…, buildRefreshToken=…}",
        ]
        let places = drawn.map { login.messages.ranges(of: $0).first?.lowerBound ?? login.messages.endIndex }
        #expect(places == places.sorted() && places[6] != login.messages.endIndex, "\(login.messages)")
        let words = login.messages.split { " \n\"=;,<>()".contains($0) }
        let shown = words.filter { $0.split(separator: ".").count == 3 && $0.hasPrefix("eyJ") }
        #expect(shown.isEmpty)
        await bench.server.stop()
    }

    @Test(arguments: [
        ("niantic-rotate:503", ExitCode.unavailable), ("niantic-rotate:429;retry-after=7", .tryAgain),
        ("niantic-rotate:401", .signInNeeded), ("niantic-rotate:404", .configuration),
        ("niantic-rotate:deleted-cookie", .signInNeeded), ("niantic-rotate:wrong-sub", .protocolViolation),
        ("niantic-rotate:html", .unavailable), ("niantic-rotate:several-cookies", .done),
        ("niantic-rotate:folded-cookies", .done), ("niantic-rotate:odd-cookie-name", .done),
        ("niantic-rotate:unrotated", .done), ("niantic-rotate:malformed", .done), ("niantic-access:503", .done),
        ("niantic-access:millisecond-expiry", .done), ("niantic-refresh:rotates-session", .done),
    ])
    func `what the service answers decides the exit code`(_ fault: String, _ exit: ExitCode) async throws {
        var options = DevIssuerOptions()
        options.faults = [try Fault(parsing: fault)]
        let bench = try await NianticBench.start(options: options)
        let login = await bench.login()
        #expect(login.exit == exit, "\(login.output) \(login.messages)")
        if exit == .done { #expect(await bench.run("token").exit == .done) }
        await bench.server.stop()
    }

    @Test func `eight refreshes at once send no token twice`() async throws {
        var options = DevIssuerOptions()
        options.niantic.accessTokenLifetime = .seconds(30)
        let bench = try await NianticBench.start(options: options)
        _ = await bench.login()
        let before = bench.statistics.accessTokensMade
        let outputs = await withTaskGroup(of: String.self) { group in
            for _ in 0..<8 { group.addTask { await bench.run("refresh", "--quiet").output } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        // Each asked for a renewal of its own, or joined one that began after it: nobody was turned away.
        #expect(outputs.count == 8 && bench.statistics.accessTokensMade > before)
        #expect(bench.statistics.reuseDetections == 0)
        #expect(await bench.run("token").exit == .done)
        await bench.server.stop()
    }
}
