import AuthKitCore
import LoopbackHTTP

extension DevIssuer {
    /// The authorization endpoint (RFC 6749 §3.1).
    func authorize(_ request: ServerRequest, fault: FaultKind?) -> ServerResponse {
        let parameters: Parameters
        let client: DevClient
        let redirectURI: String
        do {
            parameters = try Parameters(request.method == "POST" ? request.form() : request.query)
            client = try registeredClient(parameters)
            redirectURI = try registeredRedirect(parameters, of: client)
        } catch {
            // RFC 6749 §4.1.2.1: where the address cannot be trusted, the browser stays here.
            return Page.problem("This sign-in cannot go on", error.detail)
        }
        let answer = AuthorizationAnswer(
            redirectURI: redirectURI,
            mode: parameters["response_mode"].flatMap(AuthorizationRequest.ResponseMode.init) ?? .query,
            state: parameters["state"],
            issuer: url,
            fault: fault
        )
        do throws(OAuthProblem) {
            if case .error(let code) = fault { throw OAuthProblem(code, "This is a fault that was asked for.") }
            let checked = try check(parameters, client: client, redirectURI: redirectURI)
            return try consent(to: checked, browser: cookie(of: request), fault: fault)
        } catch {
            return answer.refusal(error)
        }
    }

    private func registeredClient(_ parameters: Parameters) throws(OAuthProblem) -> DevClient {
        let id = try parameters.required("client_id")
        guard let client = options.clients.first(where: { $0.id == id }) else {
            throw .invalidRequest("There is no client of this client_id here.")
        }
        return client
    }

    private func registeredRedirect(_ parameters: Parameters, of client: DevClient) throws(OAuthProblem) -> String {
        let asked = try parameters.required("redirect_uri")
        guard DevClient.covers(client.redirectURIs, asked) else {
            throw .invalidRequest("The redirect_uri is not registered for this client.")
        }
        return asked
    }

    private func check(
        _ parameters: Parameters,
        client: DevClient,
        redirectURI: String
    ) throws(OAuthProblem) -> AuthorizationRequest {
        for name in ["request", "request_uri", "registration"] where parameters[name] != nil {
            throw OAuthProblem("\(name)_not_supported", "The parameter \(name) is not supported.")
        }
        guard try parameters.required("response_type") == "code" else {
            throw OAuthProblem("unsupported_response_type", "Only the response type code is supported.")
        }
        let mode = parameters["response_mode"] ?? "query"
        guard let responseMode = AuthorizationRequest.ResponseMode(rawValue: mode) else {
            throw .invalidRequest("The response_mode is neither query nor form_post.")
        }
        let scope = Scope(parameters["scope"] ?? "")
        guard !scope.isEmpty else { throw .invalidScope("The scope is missing.") }
        if let allowed = client.scopes, !Scope(allowed).covers(scope) {
            throw .invalidScope("The scope is wider than what this client may ask for.")
        }
        let prompts = Set((parameters["prompt"] ?? "").split(separator: " ").map(String.init))
        // OpenID Connect Core §3.1.2.1: none stands alone.
        guard prompts.isSubset(of: ["none", "login", "consent", "select_account"]),
            !prompts.contains("none") || prompts.count == 1
        else { throw .invalidRequest("The prompt is not one that can be followed.") }
        var maxAge: Int64?
        if let text = parameters["max_age"] {
            guard let seconds = Int64(text), seconds >= 0 else { throw .invalidRequest("The max_age is no number.") }
            maxAge = seconds
        }
        return AuthorizationRequest(
            clientID: client.id,
            redirectURI: redirectURI,
            responseMode: responseMode,
            state: parameters["state"],
            nonce: parameters["nonce"],
            scope: scope,
            challenge: try Self.challenge(parameters),
            resources: try Self.resources(parameters),
            prompts: prompts,
            loginHint: parameters["login_hint"],
            idTokenHint: parameters["id_token_hint"],
            maxAge: maxAge
        )
    }

    /// RFC 7636 §4.3: without a method it would be `plain`, which is refused here, as RFC 9700 §2.1.1 advises.
    private static func challenge(_ parameters: Parameters) throws(OAuthProblem) -> String {
        let challenge = try parameters.required("code_challenge")
        guard parameters["code_challenge_method"] == "S256" else {
            throw .invalidRequest("The code_challenge_method must be S256.")
        }
        let isDigest =
            challenge.utf8.count == 43
            && challenge.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
        guard isDigest else { throw .invalidRequest("The code_challenge is no SHA-256 in Base64url.") }
        return challenge
    }

    /// RFC 8707 §2: absolute URIs without fragment; `audience` is the older, proprietary spelling.
    private static func resources(_ parameters: Parameters) throws(OAuthProblem) -> [String] {
        let resources = parameters.all("resource")
        guard resources.allSatisfy({ $0.contains(":") && !$0.contains("#") }) else {
            throw OAuthProblem("invalid_target", "A resource is no absolute URI.")
        }
        return resources + (parameters["audience"].map { [$0] } ?? [])
    }
}
