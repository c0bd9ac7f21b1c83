import AuthKitCore
import LoopbackHTTP

extension DevIssuer {
    /// The end-session endpoint (OpenID Connect RP-Initiated Logout §2): the browser's session ends, tokens live on.
    func endSession(_ request: ServerRequest) -> ServerResponse {
        let target: String?
        let parameters: Parameters
        do {
            parameters = try Parameters(request.method == "POST" ? request.form() : request.query)
            target = try signedOutTarget(parameters)
        } catch {
            return Page.problem("This sign-out cannot go on", error.detail)
        }
        if let browser = cookie(of: request) { locked { $0.sessions[browser] = nil } }
        var response: ServerResponse
        if let target {
            let state = parameters["state"].map {
                "\(target.contains("?") ? "&" : "?")state=\(PercentEncoding.encode($0))"
            }
            response = .redirect(to: target + (state ?? ""))
            response.fields.append(HTTPField("Cache-Control", "no-store"))
        } else {
            response = Page.message("You are signed out", "You can close this page.")
        }
        response.fields.append(HTTPField("Set-Cookie", clearCookie))
        return response
    }

    private func signedOutTarget(_ parameters: Parameters) throws(OAuthProblem) -> String? {
        var clientID = parameters["client_id"]
        if let token = parameters["id_token_hint"] {
            // §2: an expired token is a good hint too.
            guard let hint = locked({ $0.idTokens[token] }) else {
                throw .invalidRequest("The id_token_hint is not one that was issued here.")
            }
            guard clientID == nil || clientID == hint.clientID else {
                throw .invalidRequest("The client_id is not the one that the id_token_hint was issued to.")
            }
            clientID = hint.clientID
        }
        let client = options.clients.first { $0.id == clientID }
        guard clientID == nil || client != nil else {
            throw .invalidRequest("There is no client of this client_id here.")
        }
        guard let target = parameters["post_logout_redirect_uri"] else { return nil }
        guard let client, DevClient.covers(client.postLogoutRedirectURIs, target) else {
            throw .invalidRequest(
                "The post_logout_redirect_uri is not registered for the client, or no client is named."
            )
        }
        return target
    }
}
