import AuthKitCore
import LoopbackHTTP

extension DevIssuer {
    /// Decides who signs in, or asks.
    func consent(
        to request: AuthorizationRequest,
        browser: String?,
        fault: FaultKind?
    ) throws(OAuthProblem) -> ServerResponse {
        let hinted = try hintedUser(request)
        let session = browser.flatMap { browser in locked { $0.sessions[browser] } }
        if options.consent == .automatic {
            let user = hinted ?? options.users[0]
            return try issueCode(request, signedIn: try signIn(user), fault: fault)
        }
        if request.prompts.contains("none") {
            return try issueCode(request, signedIn: try silent(request, hinted: hinted, session: session), fault: fault)
        }
        let fresh = try Draw.text()
        return try ask(
            request,
            browser: browser ?? fresh,
            suggestion: hinted?.name ?? request.loginHint ?? session?.signedIn.user.name ?? "",
            fault: fault
        )
    }

    /// Takes the decision that was made on the page.
    func decide(_ request: ServerRequest) -> ServerResponse {
        guard let form = try? Parameters(request.form()), let id = form["request"], let token = form["form_token"],
            let pending = locked({ $0.pending[id] }),
            // The form must come from the page that this browser was shown.
            let browser = cookie(of: request), browser == pending.browser,
            ConstantTime.equal(Array(token.utf8), Array(pending.formToken.utf8)),
            options.time.now.since(pending.shownAt) < .seconds(600)
        else {
            return Page.problem("This page is out of date", "Go back to the application and sign in again.")
        }
        let answer = AuthorizationAnswer(pending.request, issuer: url, fault: pending.fault)
        if form["decision"] == "deny" {
            guard locked({ $0.pending.remove(id) != nil }) else { return Page.usedTwice }
            return answer.refusal(OAuthProblem("access_denied", "The user said no."))
        }
        guard let user = user(form["user"] ?? "") else {
            return consentPage(pending.request, id: id, pending, suggestion: form["user"] ?? "", isUnknown: true)
        }
        // Taken out under the lock: two clicks make one code.
        guard locked({ $0.pending.remove(id) != nil }) else { return Page.usedTwice }
        do {
            let signedIn = try remember(user, browser: browser, request: pending.request)
            return try issueCode(pending.request, signedIn: signedIn, fault: pending.fault)
        } catch {
            return answer.refusal(error)
        }
    }

    private func hintedUser(_ request: AuthorizationRequest) throws(OAuthProblem) -> DevUser? {
        if let token = request.idTokenHint {
            guard let hint = locked({ $0.idTokens[token] }),
                let user = options.users.first(where: { $0.subject == hint.subject })
            else { throw .invalidRequest("The id_token_hint is not one that was issued here.") }
            return user
        }
        guard let hint = request.loginHint else { return nil }
        if let user = user(hint) { return user }
        guard options.consent == .page, !request.prompts.contains("none") else {
            throw OAuthProblem("login_required", "No user matches the login_hint.")
        }
        return nil
    }

    private func user(_ hint: String) -> DevUser? { options.users.first { $0.matches(hint) } }

    private func signIn(_ user: DevUser) throws(OAuthProblem) -> SignedInUser {
        SignedInUser(user: user, authenticatedAt: options.time.now.wall, sessionID: try Draw.text(bytes: 16))
    }

    /// OpenID Connect Core §3.1.2.6: what `prompt=none` is answered with when it cannot be.
    private func silent(
        _ request: AuthorizationRequest,
        hinted: DevUser?,
        session: BrowserSession?
    ) throws(OAuthProblem) -> SignedInUser {
        guard let session, hinted == nil || hinted == session.signedIn.user, isRecent(session, for: request) else {
            throw OAuthProblem("login_required", "Nobody that fits is signed in.")
        }
        guard session.consents[request.clientID]?.covers(request.scope) == true else {
            throw OAuthProblem("consent_required", "The user has not allowed this yet.")
        }
        return session.signedIn
    }

    private func isRecent(_ session: BrowserSession, for request: AuthorizationRequest) -> Bool {
        guard let maxAge = request.maxAge else { return true }
        return options.time.now.wall - session.signedIn.authenticatedAt <= .seconds(maxAge)
    }

    /// Keeps the session of a browser, or begins one: for another user, when asked to, or when it is too old.
    private func remember(
        _ user: DevUser,
        browser: String,
        request: AuthorizationRequest
    ) throws(OAuthProblem) -> SignedInUser {
        let fresh = BrowserSession(signedIn: try signIn(user))
        return locked { state in
            var session = state.sessions[browser] ?? fresh
            if session.signedIn.user != user || request.prompts.contains("login") || !isRecent(session, for: request) {
                session = fresh
            }
            let earlier = session.consents[request.clientID]?.values ?? []
            session.consents[request.clientID] = Scope(earlier + request.scope.values)
            state.sessions[browser] = session
            return session.signedIn
        }
    }

    private func ask(
        _ request: AuthorizationRequest,
        browser: String,
        suggestion: String,
        fault: FaultKind?
    ) throws(OAuthProblem) -> ServerResponse {
        let id = try Draw.text()
        let pending = PendingConsent(
            request: request,
            browser: browser,
            formToken: try Draw.text(),
            fault: fault,
            shownAt: options.time.now
        )
        locked { $0.pending[id] = pending }
        var page = consentPage(request, id: id, pending, suggestion: suggestion, isUnknown: false)
        page.fields.append(HTTPField("Set-Cookie", setCookie(browser)))
        return page
    }

    private func consentPage(
        _ request: AuthorizationRequest,
        id: String,
        _ pending: PendingConsent,
        suggestion: String,
        isUnknown: Bool
    ) -> ServerResponse {
        Page.consent(
            client: request.clientID,
            scope: request.scope,
            action: path(.decision),
            hidden: [("request", id), ("form_token", pending.formToken)],
            users: options.users.map(\.name),
            suggestion: suggestion,
            isUnknown: isUnknown
        )
    }

    private func issueCode(
        _ request: AuthorizationRequest,
        signedIn: SignedInUser,
        fault: FaultKind?
    ) throws(OAuthProblem) -> ServerResponse {
        let code = try Draw.text()
        let entry = AuthorizationCode(request: request, signedIn: signedIn, issuedAt: options.time.now)
        locked { state in
            state.codes[code] = entry
            state.statistics.codesIssued += 1
        }
        return AuthorizationAnswer(request, issuer: url, fault: fault).success(code: code)
    }
}

extension AuthorizationAnswer {
    /// The answer to a checked request.
    init(_ request: AuthorizationRequest, issuer: String, fault: FaultKind?) {
        self.init(
            redirectURI: request.redirectURI,
            mode: request.responseMode,
            state: request.state,
            issuer: issuer,
            fault: fault
        )
    }
}
