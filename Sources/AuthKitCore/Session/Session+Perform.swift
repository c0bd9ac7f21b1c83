extension Session {
    /// Does something with an authorization, and once more with a better one where the resource asks for it.
    ///
    /// The work returns its value, or the challenge that the resource answered with (see `AuthorizationChallenge`). A
    /// nonce for DPoP proofs is used at once. A token that the resource does not take is renewed once: however many
    /// callers it was refused to, one renewal is made. Each cause is answered once, so the work runs three times at most,
    /// the request being sent with a fresh `Authorization` each time. Throws `insufficient_scope`, `step_up_needed` or
    /// `token_refused` with the challenge, what `token` throws, and whatever the work throws; when the caller is
    /// cancelled, `CancellationError` at once.
    public func perform<Value>(
        for request: TokenRequest = TokenRequest(),
        validFor: Duration = .seconds(60),
        _ work: (Authorization) async throws -> Attempt<Value>
    ) async throws -> Value {
        var issued = try await token(for: request, validFor: validFor)
        let incarnation = issued.credential.incarnation
        var plan = ReplayPlan()
        while true {
            let authorization = try authorization(issued)
            let challenge: AuthorizationChallenge
            switch try await work(authorization) {
            case .value(let value): return value
            case .challenged(let refusal): challenge = authorization.withheld(from: refusal)
            }
            try Task.checkCancellation()
            switch plan.step(for: challenge, hasNonce: authorization.keepNonce(of: challenge)) {
            case .replay: break
            case .renew:
                var renewal = request
                renewal.reason = .rejected(authorization.fingerprint)
                issued = try await token(for: renewal, validFor: validFor)
                // What was begun as one person is not sent again as another.
                guard issued.credential.incarnation == incarnation else {
                    throw SessionError(.superseded, "\(id.slot) was signed in anew meanwhile; try again.")
                }
                guard issued.token.fingerprint != authorization.fingerprint else {
                    throw refused(.tokenRefused, challenge)
                }
            case .fail(let code): throw refused(code, challenge)
            }
        }
    }

    private func authorization(_ issued: IssuedToken) throws -> Authorization {
        try Authorization(issued.token, of: issued.credential, proofs: cell.proofs, time: time)
    }

    private func refused(_ code: SessionError.Code, _ challenge: AuthorizationChallenge) -> SessionError {
        let detail =
            switch code {
            case .insufficientScope: "The resource wants a scope that was not granted; sign in again and ask for it."
            case .stepUpNeeded: "The resource wants a stronger or more recent sign-in; sign in again."
            default: "The resource does not take the token; check the audience and scope that are asked for."
            }
        return SessionError(code, detail, challenge: challenge)
    }
}
