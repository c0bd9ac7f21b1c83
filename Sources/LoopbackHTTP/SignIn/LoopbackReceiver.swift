import AuthKitCore

/// Waits for an authorization answer at a port that it holds from the start (RFC 8252 §7.3).
final class LoopbackReceiver: RedirectReceiver {
    let redirectURI: String
    private let gate: RedirectGate
    private let server: HTTPServer
    private let announce: @Sendable (String) -> Void
    private let browser: (any BrowserOpening)?

    private init(
        redirectURI: String,
        gate: RedirectGate,
        server: HTTPServer,
        announce: @escaping @Sendable (String) -> Void,
        browser: (any BrowserOpening)?
    ) {
        self.redirectURI = redirectURI
        self.gate = gate
        self.server = server
        self.announce = announce
        self.browser = browser
    }

    /// Listens for one redirect URI.
    static func listen(
        for redirect: LoopbackRedirect,
        announce: @escaping @Sendable (String) -> Void,
        browser: (any BrowserOpening)?,
        site: SignInSite?,
        time: any TimeSource
    ) throws(LoopbackError) -> LoopbackReceiver {
        let gate = RedirectGate()
        // A free port is known only when it is taken; nobody is let in before `present`, which comes later.
        let pages = Latch<RedirectPages>()
        let server = try HTTPServer.start(port: redirect.port, families: redirect.families, time: time) { request in
            guard let pages = await pages.wait() else { return .page(.over, status: 410) }
            return await pages.respond(to: request)
        }
        let hosts = redirect.hostFields(port: server.port)
        pages.open(RedirectPages(gate: gate, path: redirect.path, hosts: hosts, site: site, time: time))
        return LoopbackReceiver(
            redirectURI: redirect.uri(port: server.port),
            gate: gate,
            server: server,
            announce: announce,
            browser: browser
        )
    }

    var canWaitAgain: Bool { true }

    func present(
        _ url: String,
        accepting: @escaping @Sendable (RedirectAnswer) -> Bool
    ) async throws -> RedirectAnswer {
        guard let wait = gate.open(accepting: accepting) else {
            throw LoopbackError(.alreadyUsed, "This receiver has waited before: prepare another one.")
        }
        announce(url)
        // Not waited for: the person may as well open the announced URL elsewhere.
        let opening = browser.map { browser in Task { await browser.open(url) } }
        do {
            return try await answer(to: wait)
        } catch {
            opening?.cancel()
            throw error
        }
    }

    func waitAgain(
        refusing refusal: String,
        accepting: @escaping @Sendable (RedirectAnswer) -> Bool
    ) async throws -> RedirectAnswer {
        guard let wait = gate.reopen(refusing: .failed(message: refusal), accepting: accepting) else {
            throw LoopbackError(.alreadyUsed, "There is no accepted answer to wait on after: prepare another receiver.")
        }
        return try await answer(to: wait)
    }

    private func answer(to wait: Latch<RedirectAnswer>) async throws -> RedirectAnswer {
        guard let answer = await wait.wait() else {
            gate.close(nil)
            await server.stop()
            throw CancellationError()
        }
        return answer
    }

    func finish(_ outcome: SignInOutcome) async {
        gate.close(outcome)
        await server.stop()
    }
}
