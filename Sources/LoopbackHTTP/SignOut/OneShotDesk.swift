import AuthKitCore

/// Answers the requests that come to a one-shot redirect.
final class OneShotDesk: Sendable {
    let hosts = Latch<Set<String>>()
    let destination = Latch<Secret>()
    let fetched = Latch<Void>()
    let signedOut = Latch<RedirectAnswer>()
    private let path: String
    private let signedOutPath: String?
    private let accepting: @Sendable (RedirectAnswer) -> Bool

    init(path: String, signedOutPath: String?, accepting: @escaping @Sendable (RedirectAnswer) -> Bool) {
        self.path = path
        self.signedOutPath = signedOutPath
        self.accepting = accepting
    }

    func respond(to request: ServerRequest) async -> ServerResponse {
        guard let hosts = await hosts.wait(), let host = request.host, hosts.contains(host.lowercased()) else {
            return .guarded(.text("This server does not answer for that host.\n", status: 421))
        }
        guard request.path == path || request.path == signedOutPath else {
            return .guarded(.text("There is nothing here.\n", status: 404))
        }
        guard request.method == "GET" else {
            var response = ServerResponse.guarded(.text("Only GET is answered here.\n", status: 405))
            response.fields.append(HTTPField("Allow", "GET"))
            return response
        }
        if request.path == path { return sendOn() }
        let answer = RedirectAnswer(parameters: request.query)
        guard fetched.value != nil, accepting(answer) else { return .page(.notForThisSignIn, status: 400) }
        signedOut.open(answer)
        return .page(.signedOut)
    }

    private func sendOn() -> ServerResponse {
        guard let destination = destination.value else {
            return .guarded(.text("There is nothing here yet.\n", status: 404))
        }
        // The latch opens once: of two fetches at a time one gets the secret.
        guard fetched.open(()) else { return .page(.usedUp, status: 410) }
        return .guarded(.redirect(to: destination.reveal()))
    }
}
