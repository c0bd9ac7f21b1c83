import AuthKitCore
import AuthKitDevServer
import ProviderOIDC
import Testing

@Suite("Promise 5: unverified data steers nothing")
struct Promise5VerificationTests {
    private let party = ServedParty()

    private func server(_ fault: Fault) async throws -> DevServer {
        var options = DevIssuerOptions()
        options.algorithm = .es256
        options.hasKeyForEachAlgorithm = false
        options.faults = [fault]
        return try await DevServer.start(options: options)
    }

    private func code(_ work: () async throws -> some Any) async -> String {
        do {
            _ = try await work()
            return "nothing"
        } catch {
            return (error as? any ProviderFailure)?.code ?? "\(type(of: error))"
        }
    }

    @Test(arguments: [
        (Fault(.discovery, .wrongIssuer), "issuer_mismatch", 0),
        (Fault(.authorize, .wrongState), "answer_refused", 0),
        (Fault(.authorize, .missingState), "answer_refused", 0),
        (Fault(.authorize, .wrongIss), "wrong_issuer", 0),
        (Fault(.authorize, .missingIss), "wrong_issuer", 0),
        (Fault(.token, .wrongIssuer), "invalid_id_token", 1),
        (Fault(.token, .wrongAudience), "invalid_id_token", 1),
        (Fault(.token, .wrongNonce), "invalid_id_token", 1),
        (Fault(.token, .missingNonce), "invalid_id_token", 1),
        (Fault(.token, .badSignature), "invalid_id_token", 1),
        (Fault(.token, .unknownKey), "invalid_id_token", 1),
        (Fault(.token, .unsigned), "invalid_id_token", 1),
        (Fault(.token, .expired), "invalid_id_token", 1),
        (Fault(.token, .missingSubject), "invalid_id_token", 1),
        (Fault(.token, .wrongAccessTokenHash), "invalid_id_token", 1),
        (Fault(.token, .noIDToken), "missing_id_token", 1),
    ])
    func `a sign-in ends at the first fault and asks for nothing more`(
        _ fault: Fault,
        _ expected: String,
        _ tokenRequests: Int
    ) async throws {
        let server = try await server(fault)
        #expect(await code { try await party.signIn(server) } == expected)
        #expect(server.issuer.statistics.faults.values.reduce(0, +) == 1)
        #expect(server.issuer.statistics.requests["token", default: 0] == tokenRequests)
        #expect(server.issuer.statistics.requests["userinfo", default: 0] == 0)
        await server.stop()
    }

    @Test(arguments: [
        (Fault(.refresh, .wrongSubject), "subject_changed"), (Fault(.refresh, .wrongIssuer), "invalid_id_token"),
        (Fault(.refresh, .badSignature), "invalid_id_token"),
        (Fault(.refresh, .wrongAccessTokenHash), "invalid_id_token"),
    ])
    func `a refresh with a faulty ID token gives no token out`(_ fault: Fault, _ expected: String) async throws {
        let server = try await server(fault)
        let held = try await party.signIn(server)
        #expect(await code { try await party.renew(held, at: server) } == expected)
        #expect(server.issuer.statistics.faults.values.reduce(0, +) == 1)
        await server.stop()
    }

    @Test func `without a fault the same sign-in and refresh succeed`() async throws {
        let server = try await server(Fault(.revoke, .emptyBody))
        let held = try await party.signIn(server)
        let renewed = try await party.renew(held, at: server)
        #expect(renewed.refreshToken?.value != held.refreshToken?.value)
        await server.stop()
    }
}
