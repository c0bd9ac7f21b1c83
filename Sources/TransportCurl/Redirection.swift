internal import AuthKitCore

/// Decides what a 3xx answer leads to; libcurl itself follows nothing.
enum Redirection {
    /// The request that follows an answer, or nil when the answer is for the caller.
    ///
    /// Throws `redirectRefused` past the policy's count and for a way out of `https`.
    static func next(
        after answer: HTTPResponse,
        to request: HTTPRequest,
        followed: Int
    ) throws(TransportError) -> HTTPRequest? {
        guard [301, 302, 303, 307, 308].contains(answer.status), let target = target(of: answer) else { return nil }
        let limit: Int
        switch request.redirects {
        case .never:
            return nil
        case .sameOrigin(let atMost):
            guard target.origin == answer.url.origin else { return nil }
            limit = atMost
        case .anyOrigin(let atMost):
            // What the internet answers may send us to https only, never to a service on this machine.
            guard
                target.origin == answer.url.origin || (target.scheme == "https" && !target.isLoopback)
                    || (target.isLoopback && answer.url.isLoopback)
            else { throw refuse("\(answer.url.origin) redirects to \(target.origin), which is not https") }
            limit = atMost
        }
        guard let next = request.following(answer.status, to: target) else { return nil }
        guard followed < limit else { throw refuse("\(request.url.origin) redirects more than \(limit) times") }
        return next
    }

    /// The one `Location` (RFC 9110 §10.2.2), resolved; nil when there is none, or more than one.
    private static func target(of answer: HTTPResponse) -> WebURL? {
        let locations = answer.fields.all(named: "location")
        guard locations.count == 1 else { return nil }
        return answer.url.resolving(locations[0])
    }

    private static func refuse(_ reason: String) -> TransportError {
        TransportError(.redirectRefused, delivery: .answeredUnclear, detail: "\(reason); check the configured URL.")
    }
}

extension HTTPRequest {
    /// This request as a redirect wants it; nil when that would send a one-time body again.
    fileprivate func following(_ status: Int, to target: WebURL) -> HTTPRequest? {
        var next = self
        next.url = target
        // RFC 9110 §15.4: 303 makes everything but HEAD a GET; 301 and 302 do so for POST; 307 and 308 keep all.
        let becomesGet = status == 303 ? method != "HEAD" : status <= 302 && method == "POST"
        if becomesGet {
            next.method = "GET"
            next.body = nil
            next.fields.removeAll { $0.name.lowercased().hasPrefix("content-") }
        } else if body != nil && !mayResend {
            return nil
        }
        return next
    }
}
