import AuthKitCore
import LoopbackHTTP

extension DevIssuer {
    /// The identity endpoint: JSON with a `grantType`, unlike RFC 6749's forms.
    func identity(_ request: ServerRequest) -> IssuerAnswer {
        let type = request.fields.first(named: "Content-Type")?.split(separator: ";").first?.trimmingSpaces()
        guard type?.lowercased() == "application/json",
            let body = try? JSONValue(parsing: request.body).object
        else {
            return IssuerAnswer(Self.refusal(IdentityProblem("refused", "expected a JSON object", status: 400)))
        }
        guard let grant = body["grantType"]?.string.flatMap(IdentityGrant.init(rawValue:)) else {
            return IssuerAnswer(Self.refusal(IdentityProblem("refused", "unknown grant type", status: 400)))
        }
        let sent: String? =
            switch grant {
            case .rotate, .refresh: Self.sessionCookie(of: request)
            case .access: body["buildRefreshToken"]?.string
            case .key: body["apiKey"]?.string
            }
        return exchange(grant.step, sent, at: grant.point) { (fault) throws(IdentityProblem) in
            guard let sent, !sent.isEmpty else { throw IdentityProblem("refused", "no token was sent", status: 400) }
            switch grant {
            case .rotate: return try rotateSession(sent, fault: fault)
            case .refresh: return try makeRefreshToken(with: sent, fault: fault)
            case .access: return try makeAccessToken(with: sent, fault: fault)
            case .key: return try exchangeKey(sent, fault: fault)
            }
        }
    }

    /// Answers in the way of a point's next fault, and notes what became of the request.
    func exchange(
        _ step: String,
        _ sent: String?,
        at point: Fault.Point,
        _ work: (FaultKind?) throws(IdentityProblem) -> ServerResponse
    ) -> IssuerAnswer {
        let fault = locked { $0.takeFault(point) }
        var outcome = fault.map { "fault \($0)" } ?? ""
        var answer = apply(fault, at: point) { fault in
            let words = fault.map { " (\($0))" } ?? ""
            do throws(IdentityProblem) {
                if fault == .errorEcho {
                    throw IdentityProblem("fault", "there is no token \(sent ?? "")", status: 400)
                }
                let response = try work(fault)
                outcome = "granted" + words
                return response
            } catch {
                outcome = error.outcome + words
                return Self.refusal(error, otherwise: options.niantic.refusalStatus)
            }
        }
        // The server adds its own only where there is none.
        if options.niantic.clockAhead != .zero, answer.response.fields.first(named: "Date") == nil {
            let date = HTTPDateText.make(toldTime(options.time.now, fault: nil))
            answer.response.fields.append(HTTPField("Date", date))
        }
        let fingerprint = sent.map { Hexadecimal.encode(Array(TokenFingerprint(of: Secret($0)).bytes.prefix(4))) }
        let record = ExchangeRecord(
            step: step,
            fingerprint: fingerprint ?? "",
            outcome: outcome,
            at: options.time.now.wall
        )
        locked { $0.niantic.statistics.note(record) }
        return answer
    }

    /// The one `refresh_token` cookie of a request, as it was written.
    private static func sessionCookie(of request: ServerRequest) -> String? {
        let values = request.fields.all(named: "Cookie")
            .flatMap { $0.split(separator: ";") }
            .map { $0.trimmingSpaces() }
            .filter { $0.hasPrefix("refresh_token=") }
            .map { String($0.dropFirst("refresh_token=".count)) }
        return values.count == 1 ? values[0] : nil
    }
}
