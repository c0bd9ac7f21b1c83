import AuthKitCore
import LoopbackHTTP

extension DevIssuer {
    /// Takes the next fault of a point and answers in its way.
    func misbehaving(at point: Fault.Point, _ work: (FaultKind?) -> ServerResponse) -> IssuerAnswer {
        apply(locked { $0.takeFault(point) }, at: point, work)
    }

    /// Answers in the way of a fault; faults of content are the work's own business.
    func apply(
        _ fault: FaultKind?,
        at point: Fault.Point,
        _ work: (FaultKind?) -> ServerResponse
    ) -> IssuerAnswer {
        switch fault {
        case .status(let status, let retryAfter, let asPage):
            return IssuerAnswer(Self.refusal(status, retryAfter: retryAfter.map { "\($0)" }, asPage: asPage, at: point))
        case .busyUntil(let status, let seconds):
            let isOfNSDK = Fault.Point.nianticExchanges.contains(point)
            let now = isOfNSDK ? toldTime(options.time.now, fault: nil) : options.time.now.wall
            let date = HTTPDateText.make(now + .seconds(seconds))
            return IssuerAnswer(Self.refusal(status, retryAfter: date, asPage: false, at: point))
        case .error(let code) where Fault.Point.nianticExchanges.contains(point):
            return IssuerAnswer(Self.refusal(IdentityProblem("fault", code, status: 400)))
        case .errorObject, .errorDescription, .errorMessage, .descriptionAlone, .messageAlone, .errorNumber,
            .plainError, .emptyError:
            return IssuerAnswer(Self.shapedRefusal(fault))
        case .errorInSuccess:
            return IssuerAnswer(Self.uncached(["error": "this is a fault that was asked for"]))
        case .error(let code) where point != .authorize && point != .nianticSignIn:
            let problem = OAuthProblem(code, "This is a fault that was asked for.")
            return IssuerAnswer(
                Self.refusal(OAuthProblem(code, problem.detail, status: code == "invalid_client" ? 401 : 400))
            )
        case .page: return IssuerAnswer(Page.outOfOrder(status: 200))
        case .stall: return IssuerAnswer(ServerResponse(status: 503), manner: .never)
        case .close: return IssuerAnswer(ServerResponse(status: 503), manner: .dropped)
        case .emptyBody:
            var response = work(fault)
            response.body = []
            return IssuerAnswer(response)
        case .hang(let seconds): return IssuerAnswer(work(fault), manner: .delayed(.seconds(seconds)))
        case .hangAfterCommit: return IssuerAnswer(work(fault), manner: .never)
        case .closeAfterCommit: return IssuerAnswer(work(fault), manner: .dropped)
        case .drip: return IssuerAnswer(work(fault), manner: .slowly)
        case .skewed(seconds: _):
            var response = work(fault)
            let date = HTTPDateText.make(toldTime(options.time.now, fault: fault))
            response.fields.append(HTTPField("Date", date))  // The server adds its own only where there is none.
            return IssuerAnswer(response)
        default: return IssuerAnswer(work(fault))
        }
    }

    private static func refusal(
        _ status: Int,
        retryAfter: String?,
        asPage: Bool,
        at point: Fault.Point
    ) -> ServerResponse {
        let code = status == 503 || status == 429 ? "temporarily_unavailable" : "server_error"
        var response: ServerResponse
        if asPage {
            response = Page.outOfOrder(status: status)
        } else if Fault.Point.nianticExchanges.contains(point) {
            response = refusal(IdentityProblem("fault", "fault with status \(status)", status: status))
        } else {
            response = refusal(OAuthProblem(code, "This is a fault that was asked for.", status: status))
        }
        if let retryAfter { response.fields.append(HTTPField("Retry-After", retryAfter)) }
        return response
    }

    /// The identity service's error: one text; `status` is for a problem that leaves it open.
    static func refusal(_ problem: IdentityProblem, otherwise status: Int = 401) -> ServerResponse {
        var response = ServerResponse.json(
            JSONObject.make([("error", .string(problem.text))]).bytes,
            status: problem.status ?? status
        )
        response.fields.append(HTTPField("Cache-Control", "no-store"))
        return response
    }

    /// An error answer (RFC 6749 §5.2), never cached.
    static func refusal(_ problem: OAuthProblem) -> ServerResponse {
        var response = ServerResponse.json(
            JSONObject.make([("error", .string(problem.code)), ("error_description", .string(problem.detail))]).bytes,
            status: problem.status
        )
        response.fields.append(HTTPField("Cache-Control", "no-store"))
        // RFC 6749 §5.2 and RFC 9110 §15.5.2: a 401 names a scheme.
        if problem.status == 401 {
            response.fields.append(HTTPField("WWW-Authenticate", "Basic realm=\"dev issuer\", charset=\"UTF-8\""))
        }
        return response
    }
}
