import AuthKitCore
import LoopbackHTTP

extension DevIssuer {
    /// The sign-in page: `redirectType`, and `port` for a loopback type; `user` names who signs in, for tests.
    func nianticSignIn(_ request: ServerRequest, fault: FaultKind?) -> ServerResponse {
        let target: SignInTarget
        let hint: String?
        do {
            let parameters = try Parameters(request.query)
            target = try self.target(parameters)
            hint = parameters["user"]
        } catch {
            return Page.problem("This sign-in cannot go on", error.detail)
        }
        let user = hint.flatMap { hint in options.users.first { $0.matches(hint) } }
        guard options.consent == .page else { return answer(target, user ?? options.users[0], fault: fault) }
        let browser = cookie(of: request)
        guard let id = try? Draw.text(), let formToken = try? Draw.text(), let fresh = try? Draw.text() else {
            return Page.problem("Out of order", "There is no randomness on this machine.")
        }
        let pending = PendingSignIn(
            target: target,
            browser: browser ?? fresh,
            formToken: formToken,
            fault: fault,
            shownAt: options.time.now
        )
        locked { $0.niantic.pending[id] = pending }
        var page = signInPage(id, pending, suggestion: user?.name ?? hint ?? "", isUnknown: false)
        page.fields.append(HTTPField("Set-Cookie", setCookie(pending.browser)))
        return page
    }

    /// Takes the decision that was made on the page.
    func decideSignIn(_ request: ServerRequest) -> ServerResponse {
        guard let form = try? Parameters(request.form()), let id = form["request"], let token = form["form_token"],
            let pending = locked({ $0.niantic.pending[id] }),
            // The form must come from the page that this browser was shown.
            let browser = cookie(of: request), browser == pending.browser,
            ConstantTime.equal(Array(token.utf8), Array(pending.formToken.utf8)),
            options.time.now.since(pending.shownAt) < .seconds(600)
        else {
            return Page.problem("This page is out of date", "Go back to the application and sign in again.")
        }
        let isDenied = form["decision"] == "deny"
        let chosen = options.users.first { isDenied || $0.matches(form["user"] ?? "") }
        guard let user = chosen else {
            return signInPage(id, pending, suggestion: form["user"] ?? "", isUnknown: true)
        }
        // Taken out under the lock: two clicks make one session.
        guard locked({ $0.niantic.pending.remove(id) != nil }) else { return Page.usedTwice }
        guard !isDenied else { return Self.sent(to: pending.target.failure("access_denied", "The user said no.")) }
        return answer(pending.target, user, fault: pending.fault)
    }

    /// The sign-out page: it clears the browser's own tokens, and here, unless told otherwise, ends the session.
    func nianticSignOut(_ request: ServerRequest) -> ServerResponse {
        let token = request.query.first { $0.name == "refreshToken" }?.value
        if let token {
            locked { state in
                state.niantic.statistics.signOuts += 1
                guard options.niantic.signOutEndsSession, let family = state.niantic.tokens[token]?.family else {
                    return
                }
                state.niantic.end(family)
            }
        }
        var response = Page.message("You are signed out", "You can close this page.")
        response.fields.append(HTTPField("Set-Cookie", clearCookie))
        return response
    }

    private func target(_ parameters: Parameters) throws(OAuthProblem) -> SignInTarget {
        let type = try parameters.required("redirectType")
        if options.niantic.schemes.contains(type) { return .scheme(type) }
        guard options.niantic.loopbackTypes.contains(type) else {
            throw .invalidRequest("The redirectType \(type.prefix(40)) is none that is known here.")
        }
        guard let port = UInt16(try parameters.required("port")), port > 0 else {
            throw .invalidRequest("The port is a number from 1 to 65535.")
        }
        return .loopback(port: port)
    }

    private func signInPage(
        _ id: String,
        _ pending: PendingSignIn,
        suggestion: String,
        isUnknown: Bool
    ) -> ServerResponse {
        Page.consent(
            client: "An NSDK app",
            scope: Scope("NSDK"),
            action: path(.nianticDecision),
            hidden: [("request", id), ("form_token", pending.formToken)],
            users: options.users.map(\.name),
            suggestion: suggestion,
            isUnknown: isUnknown
        )
    }

    /// Begins a session and sends its token to the app.
    private func answer(_ target: SignInTarget, _ user: DevUser, fault: FaultKind?) -> ServerResponse {
        if case .error(let code) = fault {
            return Self.sent(to: target.failure(code, "This is a fault that was asked for."))
        }
        if fault == .bareFailure { return Self.sent(to: target.failurePlace) }
        let user = fault == .wrongSubject ? otherUser(than: user) : user
        let (lifetime, now) = (options.niantic.sessionTokenLifetime, options.time.now)
        guard let family = try? Draw.text(bytes: 16),
            let token = try? mint("session", user, lifetime, at: toldTime(now, fault: fault), fault: fault)
        else {
            return Page.problem("Out of order", "No token can be made on this machine.")
        }
        let record = NianticToken(
            kind: .session,
            family: family,
            issuedAt: now,
            lifetime: fault == .expired ? .zero : lifetime
        )
        locked { $0.niantic.begin(family, user, token, record) }
        switch fault {
        case .malformed: return Self.sent(to: target.success([("refreshToken", "not-a-token")]))
        case .noToken: return Self.sent(to: target.success([]))
        default: return Self.sent(to: target.success([("refreshToken", token)]))
        }
    }

    private static func sent(to address: String) -> ServerResponse {
        var response = ServerResponse.redirect(to: address)
        response.fields += [HTTPField("Cache-Control", "no-store"), HTTPField("Referrer-Policy", "no-referrer")]
        return response
    }
}
