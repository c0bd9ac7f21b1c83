import AuthKitCore

/// Answers the requests that come to a redirect URI.
struct RedirectPages: Sendable {
    let gate: RedirectGate
    let path: String
    let hosts: Set<String>
    let site: SignInSite?
    let time: any TimeSource

    /// How long the browser waits for the end of the sign-in before it gets a page that promises nothing.
    static let patience = Duration.seconds(30)

    /// Answers one request; in a way that the sign-in page's scripts can read, where they ask.
    func respond(to request: ServerRequest) async -> ServerResponse {
        let response = await answer(request)
        guard let site, request.fields.all(named: "Origin") == [site.origin] else { return response }
        return response.readable(from: site.origin)
    }

    private func answer(_ request: ServerRequest) async -> ServerResponse {
        // A page of a stranger that made its own name resolve to this machine still sends that name.
        guard let host = request.host, hosts.contains(host.lowercased()) else {
            return .guarded(.text("This server does not answer for that host.\n", status: 421))
        }
        if let site, site.failurePath == request.path { return failure(request) }
        guard request.path == path else { return .guarded(.text("There is nothing here.\n", status: 404)) }
        let parameters: [(name: String, value: String)]?
        switch request.method {
        case "GET": parameters = FormEncoding.decode(request.rawQuery ?? "")
        // OAuth 2.0 Form Post Response Mode §2: the parameters are in the body, and only there.
        case "POST": parameters = request.form()
        case "OPTIONS" where site != nil: return .guarded(.text("", status: 204))
        default:
            var response = ServerResponse.guarded(.text("Only GET and POST are answered here.\n", status: 405))
            response.fields.append(HTTPField("Allow", "GET, POST"))
            return response
        }
        guard let parameters else { return .page(.notForThisSignIn, status: 400) }
        switch gate.offer(RedirectAnswer(parameters: parameters)) {
        case .refused: return .page(.notForThisSignIn, status: 400)
        case .taken: return .page(.alreadyAnswered, status: 400)
        case .over: return .page(.over, status: 410)
        case .accepted(let outcome):
            switch await outcome.wait(within: Self.patience, on: time) {
            case .signedIn(let account): return .page(.signedIn(account: account))
            case .failed(let message): return .page(.failed(message: message))
            case nil: return .page(.unknown)
            }
        }
    }

    /// Hands on what the sign-in page says of its failure, and never more than that.
    private func failure(_ request: ServerRequest) -> ServerResponse {
        let words = request.query.filter { $0.name == "error" || $0.name == "error_description" }
        let isNamed = words.contains { $0.name == "error" && !$0.value.isEmpty }
        _ = gate.offer(RedirectAnswer(parameters: isNamed ? words : [("error", "login_failed")]))  // It has no token.
        return .page(.failedThere)
    }
}
