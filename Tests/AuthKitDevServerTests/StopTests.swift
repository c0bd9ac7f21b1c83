import AuthKitCore
import AuthKitDevServer
import AuthKitTesting
import Foundation
import LoopbackHTTP
import Testing

/// A process that is stopped in the middle of a refresh, as a debugger or a suspended job is, while others ask.
@Suite(.timeLimit(.minutes(2))) struct StopTests {
    @Test(arguments: KillTests.Place.allCases, [FaultPoint.intentSaved, .answerReceived])
    func `stopped at a point and continued: the others wait or keep what is held, and all end with a good token`(
        _ place: KillTests.Place,
        _ point: FaultPoint
    ) async throws {
        let scene = try await KillTests.Scene(place, grace: .zero)
        let stopped = try RunningVictim(scene.victim((point, .stop)), printingIn: scene.folder)
        defer { stopped.cutShort() }
        try await stopped.waitUntilStopped()
        let granted = scene.server.issuer.statistics.refreshesGranted
        #expect(granted == (point == .answerReceived ? 1 : 0))

        let waiting = try RunningVictim(scene.victim(), printingIn: scene.folder)
        defer { waiting.cutShort() }
        // Who needs no new token is not held up, and who does not want to wait keeps the one that lives.
        let content = try await scene.newcomer().token()
        #expect(!content.refreshed)
        #expect(content.renewalFailure == nil)
        var impatience = SessionOptions()
        impatience.leaseWait = .seconds(1)
        let impatient = try await scene.newcomer(impatience).token(for: TokenRequest(reason: .forced))
        #expect(!impatient.refreshed)
        #expect((impatient.renewalFailure as? SessionError)?.reason == .busy)
        #expect(impatient.token.value.reveal() == content.token.value.reveal())
        #expect(waiting.isRunning)
        #expect(scene.server.issuer.statistics.refreshesGranted == granted)

        try stopped.resume()
        for victim in [stopped, waiting] {
            let end = try await victim.end()
            #expect(end.code == 0)
            #expect(end.lines.first == "refreshed: true")
            let token = try #require(end.lines.last)
            #expect(token != content.token.value.reveal())
            #expect(isTaken(token, by: scene.server))
        }
        #expect((1...2).contains(scene.server.issuer.statistics.refreshesGranted))
        #expect(try await scene.newcomer().token(for: TokenRequest(reason: .forced)).refreshed)
        #expect(scene.server.issuer.statistics.reuseDetections == 0)
        #expect(scene.server.issuer.statistics.familiesKilled == 0)
        try await scene.end()
    }

    /// Whether the issuer says whose the access token is.
    private func isTaken(_ token: Substring, by server: DevServer) -> Bool {
        let field = HTTPField("Authorization", "Bearer \(token)")
        let request = ServerRequest(method: "GET", target: "/userinfo", fields: [field], body: [])
        return server.issuer.answer(request).response.status == 200
    }
}
