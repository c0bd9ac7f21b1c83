import AuthKitCore
import AuthKitDevServer
import Foundation
import ProviderNiantic
import Testing
import TransportCurl

@testable import authkit_cli

/// What whole commands make of what the identity service's reference leaves open.
@Suite struct NianticFaultTests {
    /// What is left of an hour while a test runs.
    private static let hour: ClosedRange<Int64> = 3400...3600
    private static let words = "this is a fault that was asked for"

    private func bench(
        _ faults: [String] = [],
        _ change: (inout DevIssuerOptions) -> Void = { _ in }
    ) async throws -> NianticBench {
        var options = DevIssuerOptions()
        for text in faults { options.faults.append(try Fault(parsing: text)) }
        change(&options)
        return try await NianticBench.start(options: options)
    }

    private func add(_ bench: NianticBench, _ flow: String, _ flags: [String]) async -> ExitCode {
        await bench.run(["profile", "add", "work", "--provider", "niantic", "--flow", flow] + flags).exit
    }

    /// A profile `work` of a service account.
    private func addServiceAccount(_ bench: NianticBench) async throws {
        let key = try bench.harness.write("dev-api-key\n", to: "api.key")
        let flags = ["--identity-url", bench.server.issuer.url, "--api-key-file", key]
        #expect(await add(bench, "service-account", flags) == .done)
    }

    /// A profile `work` of an app's own back end.
    private func addBackend(_ bench: NianticBench) async throws {
        let fields = try bench.harness.write("Authorization: Bearer dev-backend-token\n", to: "fields")
        let url = bench.server.issuer.url + "/api/access-token"
        #expect(await add(bench, "backend", ["--backend-url", url, "--backend-header-file", fields]) == .done)
    }

    /// The life of a kind of token in `status`, in seconds; nil where nobody said.
    private func life(_ kind: String, in status: JSONValue?) -> Int64? {
        status?["tokens"]?.array?.first { $0["kind"]?.string == kind }?["expires_in"]?.int64
    }

    @Test(arguments: [
        "no-exp", "fractional-exp", "text-exp", "millisecond-expiry", "no-expires-in", "lifetime-only", "opaque",
        "several-aud", "missing-sub", "bad-signature", "unknown-kid", "alg-none", "skew=7200", "skew=-7200",
    ])
    func `an access token lives as long as anybody says, and no longer is asked for`(_ kind: String) async throws {
        let bench = try await bench()
        _ = await bench.login()
        bench.server.issuer.faults = [try Fault(parsing: "niantic-access:\(kind)")]
        let refresh = await bench.run("refresh", "--json")
        #expect(refresh.exit == .done && refresh.json?["refreshed"] == true, "\(refresh.messages)")
        #expect(Self.hour.contains(refresh.json?["expires_in"]?.int64 ?? -1))
        let token = await bench.run("token", "--format", "json").json
        #expect(token?["refreshed"] == false && Self.hour.contains(token?["expires_in"]?.int64 ?? -1))
        #expect(bench.statistics.accessTokensMade == 2 && bench.statistics.reuseDetections == 0)
        await bench.server.stop()
    }

    @Test(arguments: ["expired", "no-end"])
    func `an access token that ended, or of which nobody says when, is renewed by the next call`(
        _ kind: String
    ) async throws {
        let bench = try await bench()
        _ = await bench.login()
        bench.server.issuer.faults = [try Fault(parsing: "niantic-access:\(kind)")]
        let refresh = await bench.run("refresh", "--json")
        #expect(refresh.exit == .done && refresh.json?["expires_in"] == 0, "\(refresh.messages)")
        let token = await bench.run("token", "--format", "json").json
        #expect(token?["refreshed"] == true && Self.hour.contains(token?["expires_in"]?.int64 ?? -1))
        #expect(bench.statistics.accessTokensMade == 3 && bench.statistics.sessionsRotated == 1)
        #expect(bench.statistics.reuseDetections == 0)
        await bench.server.stop()
    }

    @Test func `fields of an access token are read in every form`() async throws {
        let bench = try await bench()
        _ = await bench.login()
        bench.server.issuer.faults = [
            Fault(.nianticAccess, .userIDClaim("https://app.example/user_id")),
            Fault(.nianticAccess, .severalAudiences),
            Fault(.nianticAccess, .textExp),
            Fault(.nianticAccess, .missingExp),
            Fault(.nianticAccess, .missingSubject),
        ]
        var found: [AuthInfo] = []
        for _ in 0..<5 {
            #expect(await bench.run("refresh").exit == .done)
            let token = await bench.run("token").output.trimmingSpaces()
            found.append(try #require(AuthInfo(accessToken: Secret(token))))
        }
        #expect(found.map(\.userId) == ["user-alice", "user-alice", "user-alice", "user-alice", ""])
        #expect(found.map(\.subject) == ["", "user-alice", "user-alice", "user-alice", ""])
        #expect(found.allSatisfy { $0.audience == "nsdk" })
        #expect(found.map { $0.expirationTime > $0.issuedAtTime } == [true, true, true, false, true])
        #expect(found[3].expirationTime == 0)
        await bench.server.stop()
    }

    @Test(arguments: [("skew=7200", 7200), ("skew=-7200", -7200)] as [(String, Int64)])
    func `status tells how far the service's clock is off`(_ kind: String, _ offset: Int64) async throws {
        let bench = try await bench()
        _ = await bench.login()
        #expect(await bench.run("status", "--json").json?["clock_offset"] == 0)
        bench.server.issuer.faults = [try Fault(parsing: "niantic-access:\(kind)")]
        #expect(await bench.run("refresh").exit == .done)
        let status = await bench.run("status", "--json").json
        #expect(((offset - 3)...(offset + 3)).contains(status?["clock_offset"]?.int64 ?? 0))
        #expect(Self.hour.contains(life("access", in: status) ?? -1))
        #expect(await bench.run("refresh").exit == .done)
        #expect(await bench.run("status", "--json").json?["clock_offset"] == 0)
        await bench.server.stop()
    }

    @Test(arguments: [
        ("fractional-exp", ExitCode.done), ("text-exp", .done), ("several-aud", .done), ("bad-signature", .done),
        ("unknown-kid", .done), ("user-id=userId", .done), ("skew=3600", .done), ("skew=-3600", .done),
        ("no-exp", .protocolViolation), ("opaque", .protocolViolation), ("alg-none", .protocolViolation),
        ("bare-failure", .protocolViolation), ("error=login_failed", .protocolViolation),
    ])
    func `a callback's token is taken in every form that has an end`(_ kind: String, _ exit: ExitCode) async throws {
        let bench = try await bench(["niantic-signin:\(kind)"])
        let login = await bench.login()
        #expect(login.exit == exit, "\(login.messages)")
        if exit == .done {
            #expect(login.json?["subject"] == "user-alice")
            #expect(bench.statistics.accessTokensMade == 1)
        } else {
            #expect(login.errorCode == "wrong_callback")
            #expect(bench.statistics.exchanges.isEmpty)
        }
        await bench.server.stop()
    }

    @Test(arguments: [("niantic-signin:skew=-300", ExitCode.protocolViolation), ("niantic-signin:skew=-30", .done)])
    func `a callback's token has no leeway`(_ fault: String, _ exit: ExitCode) async throws {
        let bench = try await bench([fault]) { $0.niantic.sessionTokenLifetime = .seconds(240) }
        #expect(await bench.login().exit == exit)
        await bench.server.stop()
    }

    @Test(arguments: ["user_id", "userId", "uid", "https://app.example/user_id"])
    func `a user who is named by another claim alone is the account`(_ claim: String) async throws {
        let bench = try await bench(["niantic-signin:user-id=\(claim)", "niantic-rotate:user-id=\(claim)"])
        let login = await bench.login()
        #expect(login.exit == .done && login.json?["subject"] == "user-alice", "\(login.messages)")
        #expect(await bench.run("status", "--json").json?["subject"] == "user-alice")
        await bench.server.stop()
    }

    @Test func `a session that names nobody has no account`() async throws {
        let bench = try await bench(["niantic-signin:missing-sub", "niantic-rotate:missing-sub"])
        let login = await bench.login()
        #expect(login.exit == .done && login.json?["subject"]?.isNull == true, "\(login.messages)")
        let status = await bench.run("status", "--json").json
        #expect(status?["state"] == "signed_in" && status?["subject"] == nil)
        await bench.server.stop()
    }

    @Test(arguments: ["no-exp", "opaque"])
    func `a session token that does not say when it ends has its cookie's end`(_ kind: String) async throws {
        let bench = try await bench(["niantic-rotate:\(kind)"])
        #expect(await bench.login().exit == .done)
        let status = await bench.run("status", "--json").json
        let days = (life("session", in: status) ?? 0) / 86_400
        #expect((29...30).contains(days))
        #expect(status?["subject"] == "user-alice")
        await bench.server.stop()
    }

    @Test(arguments: [("text-exp", 1), ("opaque", 1), ("no-end", 1), ("lifetime-only", 1), ("expired", 2)])
    func `an NSDK refresh token is used until it is known to have ended`(
        _ kind: String,
        _ rotations: Int
    ) async throws {
        let bench = try await bench(["niantic-refresh:\(kind)"]) { $0.niantic.rotatesRefreshTokens = false }
        #expect(await bench.login().exit == .done)
        let isKnown = kind != "no-end"
        let status = await bench.run("status", "--json").json
        #expect((life("refresh", in: status) != nil) == isKnown)
        #expect(await bench.run("refresh").exit == .done)
        #expect(bench.statistics.sessionsRotated == rotations && bench.statistics.accessTokensMade == 2)
        await bench.server.stop()
    }

    @Test(arguments: [
        ("error-object", "fault"), ("error-description", "fault"), ("error-message", "fault"),
        ("description-alone", "error"), ("message-alone", "error"),
    ])
    func `a refusal's words are told in whatever shape they come`(_ kind: String, _ code: String) async throws {
        let bench = try await bench(["niantic-rotate:\(kind)"])
        let login = await bench.login()
        #expect(login.exit == .signInNeeded && login.errorCode == "session_refused", "\(login.output)")
        let error = login.json?["error"]?["issuer_error"]
        #expect(error?["error"]?.string == code && error?["error_description"]?.string == Self.words)
        #expect(bench.statistics.sessionsRotated == 0)
        // At step 3 it is a refusal too: the session token makes another refresh token.
        #expect(await bench.login().exit == .done)
        bench.server.issuer.faults = [try Fault(parsing: "niantic-access:\(kind)")]
        #expect(await bench.run("refresh").exit == .done)
        #expect(bench.statistics.sessionsRotated == 2 && bench.statistics.reuseDetections == 0)
        await bench.server.stop()
    }

    @Test func `a refusal that repeats what was sent is not repeated`() async throws {
        let bench = try await bench(["niantic-rotate:error-echo", "niantic-key:error-echo"])
        let callback = try await bench.callback()
        let session = String(try #require(callback.split(separator: "refreshToken=").last))
        let login = await bench.run(
            ["login", "--json", "--callback-url", "-", "--timeout", "20"],
            input: TextInput(text: callback + "\n")
        )
        #expect(login.exit == .signInNeeded && login.errorCode == "session_refused", "\(login.messages)")
        #expect(login.json?["error"]?["issuer_error"]?["error"] == "(withheld: it repeats a token)")
        #expect(!(login.output + login.messages).contains(session))

        try await addServiceAccount(bench)
        let key = await bench.run("token", "work", "--json")
        #expect(key.exit == .configuration && key.errorCode == "api_key_refused", "\(key.output)")
        #expect(!(key.output + key.messages).contains("dev-api-key"))
        await bench.server.stop()
    }

    @Test(
        arguments: [("no-end", 3400...3600), ("lifetime-only", 1700...1800), ("no-exp", 1700...1800)]
            as [(String, ClosedRange<Int64>)]
    )
    func `a service account's token lives an hour where nobody says`(
        _ kind: String,
        _ life: ClosedRange<Int64>
    ) async throws {
        let bench = try await bench(["niantic-key:\(kind)"]) { $0.niantic.accessTokenLifetime = .seconds(1800) }
        try await addServiceAccount(bench)
        let token = await bench.run("token", "work", "--format", "json").json
        #expect(life.contains(token?["expires_in"]?.int64 ?? -1))
        #expect(await bench.run("token", "work", "--format", "json").json?["refreshed"] == false)
        #expect(bench.statistics.keysExchanged == 1)
        await bench.server.stop()
    }

    @Test(arguments: [("no-end", 2), ("expired", 2), ("no-exp", 1), ("lifetime-only", 1), ("opaque", 1)])
    func `a back end's token is asked for anew where nobody says when it ends`(
        _ kind: String,
        _ requests: Int
    ) async throws {
        let bench = try await bench(["niantic-backend:\(kind)"])
        try await addBackend(bench)
        for _ in 0..<2 { #expect(await bench.run("token", "work").exit == .done) }
        #expect(bench.statistics.backendTokensMade == requests)
        await bench.server.stop()
    }

    @Test(arguments: ["error-object", "error-description", "error-echo"])
    func `a back end's refusal is told without what was sent`(_ kind: String) async throws {
        let bench = try await bench(["niantic-backend:\(kind)"])
        try await addBackend(bench)
        let token = await bench.run("token", "work", "--json")
        #expect(token.exit == .configuration && token.errorCode == "backend_refused", "\(token.output)")
        #expect(!(token.output + token.messages).contains("dev-backend-token"))
        let words = token.json?["error"]?["issuer_error"]?["error"]?.string
        #expect(words == (kind == "error-echo" ? "(withheld: it repeats a token)" : "fault"))
        await bench.server.stop()
    }

    @Test func `a failure on loopback ends no login, with words or without`() async throws {
        var options = DevIssuerOptions()
        options.faults = [Fault(.nianticSignIn, .bareFailure), Fault(.nianticSignIn, .error("login_failed"))]
        let bench = try await NianticBench.start(["--redirect-type", "unity-editor"], options: options)
        let sink = RecordingSink()
        async let login = bench.run(["login", "--no-browser", "--timeout", "30", "--json"], sink: sink)
        while SignInCommandTests.BrowsingInput.announced(in: sink) == nil { await Task.yield() }
        let url = try #require(SignInCommandTests.BrowsingInput.announced(in: sink))
        for end in ["/login/failure", "/login/failure?error=login_failed&", "/login/success?"] {
            let back = try await SignInCommandTests.BrowsingInput.follow(url)
            #expect(back.contains(end))
            let page = try await CurlTransport().send(HTTPRequest("GET", try #require(WebURL(back))))
            #expect(page.status == 200)
            let isFailure = String(decoding: page.body, as: UTF8.self).contains("The sign-in did not succeed there")
            #expect(isFailure == end.hasPrefix("/login/failure"))
        }
        #expect(await login.exit == .done)
        #expect(bench.statistics.signIns == 1 && bench.statistics.sessionsRotated == 1)
        await bench.server.stop()
    }
}
