import AuthKitCore
import LoopbackHTTP

extension DevIssuer {
    /// The token endpoint (RFC 6749 §3.2).
    func token(_ request: ServerRequest) -> IssuerAnswer {
        let parameters: Parameters
        do {
            parameters = try Parameters(request.form())
        } catch {
            return IssuerAnswer(Self.refusal(error))
        }
        guard parameters["grant_type"] == "refresh_token" else {
            return misbehaving(at: .token) { fault in
                answering { () throws(OAuthProblem) in try redeem(request, parameters, fault: fault) }
            }
        }
        let fault = locked { $0.takeFault(.refresh) }
        var wasTried = false
        let answer = apply(fault, at: .refresh) { fault in
            wasTried = true
            return answering { () throws(OAuthProblem) in try refresh(request, parameters, fault: fault) }
        }
        if !wasTried, let fault { note(parameters["refresh_token"], "fault \(fault)") }
        return answer
    }

    private func redeem(
        _ request: ServerRequest,
        _ parameters: Parameters,
        fault: FaultKind?
    ) throws(OAuthProblem) -> ServerResponse {
        let client = try authenticate(request, parameters)
        guard try parameters.required("grant_type") == "authorization_code" else {
            throw OAuthProblem(
                "unsupported_grant_type",
                "The grant_type is neither authorization_code nor refresh_token."
            )
        }
        let code = try parameters.required("code")
        let refreshToken = try Draw.text("rt_")
        let family = try Draw.text(bytes: 16)
        let grant = try locked { (state) throws(OAuthProblem) in
            try state.redeem(
                code,
                by: client,
                redirectURI: parameters["redirect_uri"],
                verifier: parameters["code_verifier"],
                resources: parameters.all("resource"),
                refreshToken: refreshToken,
                family: family,
                options: options,
                now: options.time.now
            )
        }
        return try tokens(for: grant, client: client, fault: fault)
    }

    private func refresh(
        _ request: ServerRequest,
        _ parameters: Parameters,
        fault: FaultKind?
    ) throws(OAuthProblem) -> ServerResponse {
        let token = parameters["refresh_token"]
        let client: DevClient
        do {
            client = try authenticate(request, parameters)
            _ = try parameters.required("refresh_token")
        } catch {
            note(token, "refused")
            throw error
        }
        let successor = try Draw.text("rt_")
        let (outcome, result) = locked { state in
            state.refresh(
                token ?? "",
                by: client,
                scope: parameters["scope"].map { Scope($0) },
                resources: parameters.all("resource"),
                successor: successor,
                options: options,
                now: options.time.now
            )
        }
        note(token, outcome + (fault.map { " (\($0))" } ?? ""))
        return try tokens(for: try result.get(), client: client, fault: fault)
    }

    private func note(_ token: String?, _ outcome: String) {
        let fingerprint = token.map { Hexadecimal.encode(Array(TokenFingerprint(of: Secret($0)).bytes.prefix(4))) }
        let record = RefreshRecord(fingerprint: fingerprint ?? "", outcome: outcome, at: options.time.now.wall)
        locked { $0.statistics.note(record) }
    }

    /// Turns a refusal into its answer.
    func answering(_ work: () throws(OAuthProblem) -> ServerResponse) -> ServerResponse {
        do {
            return try work()
        } catch {
            return Self.refusal(error)
        }
    }
}
