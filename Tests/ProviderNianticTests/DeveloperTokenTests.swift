import AuthKitCore
import AuthKitTesting
import ProviderNiantic
import Testing

/// Developer tokens: validated form, 7 to 90 days, never renewed.
@Suite struct DeveloperTokenTests {
    private let time = ManualTime()
    private var now: WallTime { time.now.wall }

    private func token(days: Int64, issued: Bool = true, age: Int64 = 0) -> String {
        let made = now - .seconds(age * 86_400)
        return SampleToken.make(
            "developer",
            1,
            subject: nil,
            ends: made + .seconds(days * 86_400),
            issued: issued ? made : nil
        )
    }

    private func reason(_ text: String) -> NianticError.Code? {
        do throws(NianticError) {
            _ = try DeveloperToken(Secret(text), at: now)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test(arguments: [7, 14, 30, 60, 90] as [Int64])
    func `a token of each lifetime that can be chosen is taken`(_ days: Int64) throws {
        let token = try DeveloperToken(Secret(token(days: days)), at: now)
        #expect(token.expiresAt == now + .seconds(days * 86_400))
        #expect(token.daysLeft(at: now) == days)
        #expect(token.info.subject == "")
    }

    @Test(arguments: [1, 6, 91, 365] as [Int64])
    func `another lifetime is no developer token's`(_ days: Int64) throws {
        #expect(reason(token(days: days)) == .invalidDeveloperToken)
        _ = try DeveloperToken(Secret(token(days: days)), at: now, insecureLifetimes: true)
    }

    @Test func `without iat what is left must not be more than all`() {
        #expect(reason(token(days: 1, issued: false)) == nil)
        #expect(reason(token(days: 90, issued: false)) == nil)
        #expect(reason(token(days: 92, issued: false)) == .invalidDeveloperToken)
    }

    @Test func `space around a pasted token does not count`() throws {
        #expect(try DeveloperToken(Secret("\n \(token(days: 7)) \n"), at: now).value == Secret(token(days: 7)))
    }

    @Test(arguments: ["", "YOUR_TOKEN_HERE", "a.b.c", "e30.e30.", ".e30.c2ln", "e30.e30.c2ln", "e30.e30.c2ln.e30"])
    func `a placeholder is found before it is used`(_ text: String) {
        #expect(reason(text) == .invalidDeveloperToken)
    }

    @Test func `a token that has ended says so, and asks for a new one`() throws {
        let error = try #require(throws: NianticError.self) {
            try DeveloperToken(Secret(token(days: 30, age: 30)), at: now)
        }
        #expect(error.reason == .developerTokenEnded)
        #expect(error.remedy == .fixConfiguration)
    }

    private func session(_ path: String) async throws -> Session {
        let provider = DeveloperTokenProvider(path: path)
        let vault = try await Vault.open(InMemoryStore(), keySource: EnvironmentKey(name: "k") { _ in SampleApp.key })
        return Session(provider.credentialID(slot: "dev"), provider: provider, vault: vault, time: time)
    }

    @Test func `the file's token is given out with its end, without any request`() async throws {
        let place = try KeyPlace()
        defer { place.remove() }
        let text = token(days: 30)
        let session = try await session(try place.write(text, to: "token"))
        let issued = try await session.token()
        #expect(issued.token.value == Secret(text))
        #expect(issued.token.expiry == .at(now + .seconds(30 * 86_400)))
        #expect(try await session.status()?.tokens.first?.expiry == .at(now + .seconds(30 * 86_400)))
    }

    @Test func `a forced renewal says that there is none, and gives the same token`() async throws {
        let place = try KeyPlace()
        defer { place.remove() }
        let session = try await session(try place.write(token(days: 30), to: "token"))
        let first = try await session.token().token.value
        #expect(try await session.token(for: TokenRequest(reason: .forced)).token.value == first)
    }

    @Test func `a new token in the file is taken when one is insisted on`() async throws {
        let place = try KeyPlace()
        defer { place.remove() }
        let session = try await session(try place.write(token(days: 30), to: "token"))
        _ = try await session.token()
        let next = token(days: 60)
        _ = try place.write(next, to: "token")
        #expect(try await session.token(for: TokenRequest(reason: .forced)).token.value == Secret(next))
    }

    @Test func `a token that a service refused is not given out again`() async throws {
        let place = try KeyPlace()
        defer { place.remove() }
        let session = try await session(try place.write(token(days: 30), to: "token"))
        let refused = try await session.token().token.fingerprint
        let error = try await failure { try await session.token(for: TokenRequest(reason: .rejected(refused))) }
        #expect(error.reason == .tokenRejected)
        #expect(error.remedy == .fixConfiguration)
    }

    @Test func `a token that ends is an error, and the next one in the file helps`() async throws {
        let place = try KeyPlace()
        defer { place.remove() }
        let session = try await session(try place.write(token(days: 7), to: "token"))
        _ = try await session.token()
        time.advance(by: .seconds(7 * 86_400))
        #expect(try await failure { try await session.token() }.reason == .developerTokenEnded)
        let next = token(days: 7)
        _ = try place.write(next, to: "token")
        #expect(try await session.token().token.value == Secret(next))
    }

    @Test func `nothing is renewed ahead of time and nobody has to sign in`() {
        let traits = DeveloperTokenProvider(path: "/nowhere").traits
        #expect(traits.refresh.mode == .reactive)
        #expect(!traits.needsSignIn && !traits.needsCallback)
    }

    @Test func `a service's answers ask for a new token, for scope, or for patience`() throws {
        let url = try #require(WebURL("https://api.nianticspatial.com/web/v1/x"))
        func error(_ status: Int) throws -> NianticError {
            let response = HTTPResponse(status: status, url: url, receivedAt: time.now)
            return try #require(ServiceAnswer.failure(of: response, isDeveloperToken: true))
        }
        #expect(try error(401).remedy == .fixConfiguration)
        #expect(try error(401).reason == .tokenRejected)
        #expect(try error(403).reason == .notPermitted)
        #expect(try error(429).remedy == .retry(after: nil))
    }

    @Test func `ten requests a second pass, and the eleventh waits its turn`() async throws {
        let pace = RequestPace(time: time)
        for _ in 0..<10 { try await pace.turn() }
        let passed = Recorder<Int>()
        let eleventh = Task {
            try await pace.turn()
            passed.add(11)
        }
        await time.waitForSleepers(1)
        #expect(passed.all.isEmpty)
        #expect(time.remainingSleeps == [.milliseconds(100)])
        time.advance(by: .milliseconds(100))
        try await eleventh.value
    }

    @Test func `no more than a bounded number wait for their turn`() async throws {
        let pace = RequestPace(perSecond: 1, queueLimit: 1, time: time)
        try await pace.turn()
        let waiting = Task { try await pace.turn() }
        await time.waitForSleepers(1)
        let error = try await failure { try await pace.turn() }
        #expect(error.delivery == .notSent)
        #expect(error.remedy == .retry(after: .seconds(2)))
        time.advance(by: .seconds(1))
        try await waiting.value
    }
}
