internal import AuthKitCore

/// Checks an authorization answer before its code is used.
struct AuthorizationAnswerCheck: Sendable {
    /// The state sent.
    let state: Secret
    /// The issuer asked; nil for plain OAuth without one.
    let issuer: String?
    /// Whether the issuer announced that its answers name it (RFC 9207 §3).
    let isIssuerDue: Bool

    /// Whether an answer carries the state that was sent, once.
    static func hasState(_ state: Secret, _ answer: RedirectAnswer) -> Bool {
        guard let given = answer.single("state") else { return false }
        return ConstantTime.equal(Array(given.utf8), Array(state.reveal().utf8))
    }

    /// The code, after every check.
    func code(in answer: RedirectAnswer) throws(OIDCError) -> Secret {
        // RFC 6749 §3.1: no parameter may come more than once.
        try check("no repeated parameter", !answer.hasRepeats, "RFC 6749 §3.1") {
            broken("The answer repeats a parameter; sign in again, and report it to the issuer if it stays.")
        }
        // RFC 6749 §10.12, RFC 9700 §4.7.1.
        try check("state", Self.hasState(state, answer), "RFC 6749 §10.12") {
            OIDCError(.wrongState, "The answer does not belong to this sign-in; sign in again.", remedy: .signInAgain)
        }
        try checkIssuer(of: answer)
        if let error = answer.single("error") {
            throw Self.refusal(
                OAuthErrorBody(
                    error: error,
                    description: answer.single("error_description"),
                    uri: answer.single("error_uri")
                )
            )
        }
        guard let code = answer.single("code"), !code.isEmpty else {
            throw broken(
                "The answer has neither a code nor an error; check response_mode and the client's registration."
            )
        }
        return Secret(code)
    }

    private func checkIssuer(of answer: RedirectAnswer) throws(OIDCError) {
        guard let issuer else { return }
        guard let named = answer.single("iss") else {
            // RFC 9207 §2.4: due when announced. An error without it ends the sign-in all the same.
            guard isIssuerDue, answer.single("error") == nil else { return }
            try check("iss present", false, "RFC 9207 §2.4") {
                OIDCError(
                    .wrongIssuer,
                    "The answer does not name its issuer although \"\(issuer)\" announces that it does; sign in again.",
                    remedy: .signInAgain
                )
            }
            return
        }
        let shown = OAuthErrorBody(error: named).error
        // RFC 9207 §2.4: compared as simple strings, before the code or the error is used.
        try check("iss", Array(named.utf8) == Array(issuer.utf8), "RFC 9207 §2.4") {
            OIDCError(
                .wrongIssuer,
                "The answer names the issuer \"\(shown)\" instead of \"\(issuer)\", so it is not used; sign in again.",
                remedy: .signInAgain
            )
        }
    }

    private func check(
        _ subject: String,
        _ passed: Bool,
        _ clause: String,
        orThrow error: () -> OIDCError
    ) throws(OIDCError) {
        Trace.check(subject, passed: passed, clause: clause)
        if !passed { throw error() }
    }

    private func broken(_ detail: String) -> OIDCError {
        OIDCError(.malformedAnswer, detail, remedy: .signInAgain)
    }

    /// What an error answer means (RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6).
    static func refusal(_ body: OAuthErrorBody) -> OIDCError {
        let words = body.description.map { " (\($0))" } ?? ""
        switch body.error {
        case "access_denied":
            return OIDCError(
                .refused,
                "The sign-in was refused at the issuer\(words); sign in again if that was not meant.",
                remedy: .signInAgain,
                issuerError: body
            )
        case "server_error", "temporarily_unavailable":
            return OIDCError(
                .unavailable,
                "The issuer cannot sign anybody in now: \(body.error)\(words); try again later.",
                remedy: .retry(after: nil),
                issuerError: body
            )
        case "invalid_request", "unauthorized_client", "unsupported_response_type", "invalid_scope", "invalid_target",
            "invalid_request_object", "request_not_supported", "request_uri_not_supported",
            "registration_not_supported":
            return OIDCError(
                .refused,
                "The issuer refused the request: \(body.error)\(words); check the client's registration and settings.",
                remedy: .fixConfiguration,
                issuerError: body
            )
        default:
            return OIDCError(
                .refused,
                "The issuer did not sign anybody in: \(body.error)\(words); sign in again.",
                remedy: .signInAgain,
                issuerError: body
            )
        }
    }
}
