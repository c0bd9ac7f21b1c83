import AuthKitCore
package import LoopbackHTTP

/// Takes requests from the server, hands them to the issuer, and delivers the answers in their manner.
package final class Desk: Sendable {
    private struct Open {
        var issuer: DevIssuer
        var hosts: Set<String>
    }

    private let state = Guarded<Open?>(nil)

    /// Makes a desk that answers 503 until it is open.
    package init() {}

    /// Begins to answer for an issuer.
    package func open(_ issuer: DevIssuer, port: UInt16) {
        state.withLock { $0 = Open(issuer: issuer, hosts: ["127.0.0.1:\(port)", "localhost:\(port)"]) }
    }

    /// Answers one request; 421 when it is for another host.
    package func answer(_ request: ServerRequest) async -> ServerResponse {
        guard let open = state.withLock({ $0 }) else { return .text("The issuer is starting.\n", status: 503) }
        // RFC 9110 §7.4: a request for another host is misdirected. It ends DNS rebinding too.
        guard let host = request.host, open.hosts.contains(host.lowercased()) else {
            return .text("This issuer is \(open.issuer.url).\n", status: 421)
        }
        let answer = open.issuer.answer(request)
        switch answer.manner {
        case .plain: return answer.response
        case .delayed(let duration):
            // Cut short only when nobody waits any more.
            try? await open.issuer.options.time.sleep(for: duration)
            return answer.response
        case .never:
            while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
            return .aborted
        case .dropped: return .aborted
        case .slowly:
            var response = answer.response
            response.pace = .milliseconds(50)
            return response
        }
    }
}
