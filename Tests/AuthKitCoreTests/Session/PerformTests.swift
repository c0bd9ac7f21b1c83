import AuthKitCore
import AuthKitTesting
import Testing

/// Requests to a resource through `Session.perform`.
@Suite struct PerformTests {
    private let rig = SessionRig()

    /// A resource that takes some tokens, and notes what it was sent.
    private final class Resource: Sendable {
        private let seen = Guarded<[String]>([])
        private let answer: @Sendable (String, Int) -> AuthorizationChallenge?

        init(_ answer: @escaping @Sendable (_ token: String, _ sends: Int) -> AuthorizationChallenge?) {
            self.answer = answer
        }

        var sends: [String] { seen.withLock { $0 } }

        func get(_ authorization: Authorization) throws -> Attempt<String> {
            let url = try #require(WebURL("https://api.example/items?page=1"))
            let fields = try authorization.fields(method: "GET", url: url)
            let value = try #require(fields.first(named: "authorization"))
            let count = seen.withLock { seen in
                seen.append(value)
                return seen.count
            }
            if let challenge = answer(value, count) { return .challenged(challenge) }
            return .value("items for \(value)")
        }
    }

    private static func challenge(_ value: String?, status: Int = 401) -> AuthorizationChallenge? {
        AuthorizationChallenge(status: status, fields: value.map { [HTTPField("WWW-Authenticate", $0)] } ?? [])
    }

    private func session() async throws -> Session {
        let session = try await rig.session()
        _ = try await session.signIn(through: NoAgent())
        return session
    }

    /// The error of a call that a resource refuses.
    private func error(_ resource: Resource) async throws -> SessionError? {
        let session = try await session()
        do {
            _ = try await session.perform { try resource.get($0) }
            return nil
        } catch {
            return error as? SessionError
        }
    }

    @Test func `what the resource answers is returned after one request`() async throws {
        let resource = Resource { _, _ in nil }
        let session = try await session()
        #expect(try await session.perform { try resource.get($0) } == "items for Bearer access-of-alice")
        #expect(resource.sends.count == 1)
    }

    @Test(arguments: ["Bearer error=\"invalid_token\"", nil, "Basic realm=\"r\""])
    func `a refused token is renewed once and the request sent once more`(_ value: String?) async throws {
        let resource = Resource { token, _ in token == "Bearer access-2" ? nil : Self.challenge(value) }
        let session = try await session()
        #expect(try await session.perform { try resource.get($0) } == "items for Bearer access-2")
        #expect(resource.sends == ["Bearer access-of-alice", "Bearer access-2"])
        #expect(rig.issuer.renewals == 1)
    }

    @Test func `a resource that takes no token at all ends the call with its challenge`() async throws {
        let resource = Resource { _, _ in Self.challenge("Bearer error=\"invalid_token\", realm=\"api\"") }
        let error = try #require(await error(resource))
        #expect(error.reason == .tokenRefused)
        #expect(error.remedy == .fixConfiguration)
        #expect(error.challenge?.schemes.first?.parameters["realm"] == "api")
        #expect(resource.sends.count == 2)
        #expect(rig.issuer.renewals == 1)
    }

    @Test func `too little scope is told with the scope that would do, and nothing is renewed`() async throws {
        let resource = Resource { _, _ in
            Self.challenge("Bearer error=\"insufficient_scope\", scope=\"read write\"", status: 403)
        }
        let error = try #require(await error(resource))
        #expect(error.reason == .insufficientScope)
        #expect(error.challenge?.scope == Scope("read write"))
        #expect(resource.sends.count == 1)
        #expect(rig.issuer.renewals == 0)
    }

    @Test func `a step up is told with what would do`() async throws {
        let resource = Resource { _, _ in
            Self.challenge("Bearer error=\"insufficient_user_authentication\", acr_values=\"high\", max_age=60")
        }
        let error = try #require(await error(resource))
        #expect(error.reason == .stepUpNeeded)
        #expect(error.remedy == .signInAgain)
        #expect(error.challenge?.acrValues == ["high"])
        #expect(error.challenge?.maxAge == .seconds(60))
    }

    @Test func `no challenge carries the token back into an error`() async throws {
        let resource = Resource { token, _ in
            Self.challenge("Bearer error=\"invalid_request\", error_description=\"bad \(token)\"")
        }
        let error = try #require(await error(resource))
        var text = ""
        dump(error, to: &text)
        #expect(!text.contains("access-of-alice"))
        #expect(!"\(error)".contains("access-of-alice"))
    }

    @Test func `a thousand callers that were all refused make one renewal`() async throws {
        let session = try await session()
        let resource = Resource { token, _ in token == "Bearer access-2" ? nil : Self.challenge(nil) }
        let latch = Latch()
        let values = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<1000 {
                group.addTask {
                    try await session.perform { authorization in
                        let attempt = try resource.get(authorization)
                        // Nobody goes on before everybody was refused.
                        if resource.sends.count == 1000 { latch.open() }
                        await latch.pass()
                        return attempt
                    }
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(values == ["items for Bearer access-2"])
        #expect(resource.sends.count == 2000)
        #expect(rig.issuer.renewals == 1)
    }

    @Test func `a caller that is cancelled while its token is renewed returns at once, and the renewal goes on`()
        async throws
    {
        let latch = Latch()
        var provider = rig.provider()
        provider.beforeAnswer = { await latch.pass() }
        let session = try await rig.session(provider)
        _ = try await session.signIn(through: NoAgent())
        let resource = Resource { token, _ in token == "Bearer access-2" ? nil : Self.challenge(nil) }
        let call = Task { try await session.perform { try resource.get($0) } }
        await latch.someoneArrived()
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        latch.open()
        #expect(try await session.perform { try resource.get($0) } == "items for Bearer access-2")
        #expect(rig.issuer.renewals == 1)
    }

    @Test func `what was begun as one person is not sent again as another`() async throws {
        let session = try await session()
        let resource = Resource { _, _ in Self.challenge(nil) }
        var other = rig.provider()
        other.subject = "bob"
        let switching = try await rig.session(other)
        let code = await sessionCode {
            try await session.perform { authorization in
                let attempt = try resource.get(authorization)
                _ = try await switching.signIn(through: NoAgent())
                return attempt
            }
        }
        #expect(code == .superseded)
        #expect(resource.sends.count == 1)
    }

    @Test func `work that was cancelled is not sent again`() async throws {
        let session = try await session()
        let resource = Resource { _, _ in Self.challenge(nil) }
        let call = Task {
            try await session.perform { authorization in
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                return try resource.get(authorization)
            }
        }
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(resource.sends.count == 1)
        #expect(rig.issuer.renewals == 0)
    }

    @Test func `what the work throws comes through, and a renewal that fails is told as that`() async throws {
        struct Failed: Error {}
        let session = try await session()
        await #expect(throws: Failed.self) { try await session.perform { _ in throw Failed() } as Int }
        let refused = try await rig.session(rig.provider([.refused]))
        let resource = Resource { _, _ in Self.challenge(nil) }
        #expect(await sessionCode { try await refused.perform { try resource.get($0) } } == .refreshRefused)
    }
}
