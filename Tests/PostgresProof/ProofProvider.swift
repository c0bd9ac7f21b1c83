#if Postgres
import AuthKitCore

/// Renews at the proof's issuer, or at one that costs nothing.
struct ProofProvider: TokenProvider {
    /// A failure as a provider words it.
    struct Failure: ProviderFailure {
        let code: String
        let remedy: Remedy
        let delivery: Delivery?
        var description: String { "The issuer said \(code)." }
    }

    let number: Int
    /// Nil for the issuer that costs nothing.
    let lines: IssuerLines?
    var kind: ProviderKind { ProofCredential.kind }
    var traits: ProviderTraits { ProofCredential.traits }

    func renew(_ held: StoredCredential, for request: TokenRequest, in context: RenewalContext) async throws -> Renewal
    {
        guard let refresh = held.refreshToken?.value, let token = ProofCredential.parse(refresh.reveal()) else {
            throw Failure(code: "no_refresh_token", remedy: .signInAgain, delivery: .notSent)
        }
        try await context.willSendOneTime(refresh)
        var generation = token.generation + 1
        if let lines {
            guard let answer = try await lines.ask("\(number) \(refresh.reveal())\n") else {
                throw Failure(code: "no_answer", remedy: .retry(after: nil), delivery: .sentNoAnswer)
            }
            guard answer.hasPrefix("granted "), let granted = Int(answer.dropFirst(8)) else {
                throw Failure(code: "invalid_grant", remedy: .signInAgain, delivery: .answered)
            }
            generation = granted
        }
        var renewed = held
        renewed.refreshToken = HeldToken(ProofCredential.token(token.number, generation))
        renewed.accessTokens[request.key] = HeldToken(
            Secret("access-\(token.number)-\(generation)-" + String(repeating: "x", count: 800)),
            expiry: .after(ProofCredential.laterLife, from: context.base.time.now)
        )
        return .renewed(renewed)
    }

    func revoke(_ held: StoredCredential, in context: ProviderContext) async -> [RevocationResult] { [] }
}

/// Connections to the issuer, each used by one call at a time.
final class IssuerLines: Sendable {
    private let idle: Guarded<[IssuerLine]>
    private let port: UInt16

    init(_ port: UInt16) {
        self.port = port
        idle = Guarded([])
    }

    /// Sends a line and waits for its answer; nil when none came.
    func ask(_ line: String) async throws -> String? {
        let connection = try idle.withLock { $0.popLast() } ?? IssuerLine(port)
        let answer = await connection.ask(line)
        if answer != nil { idle.withLock { $0.append(connection) } }
        return answer
    }
}

/// One connection, on a thread queue of its own.
actor IssuerLine {
    private nonisolated let executor = BlockingExecutor(label: "IssuerLine")
    private let socket: LineSocket

    init(_ port: UInt16) throws {
        socket = try LineSocket.connect(to: port)
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    func ask(_ line: String) -> String? {
        socket.write(line) ? socket.readLine() : nil
    }
}
#endif
