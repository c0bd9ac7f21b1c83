import AuthKitCore
import LoopbackHTTP

/// Sends the browser back to the client, with a code or an error.
struct AuthorizationAnswer: Sendable {
    var redirectURI: String
    var mode: AuthorizationRequest.ResponseMode
    var state: String?
    var issuer: String
    var fault: FaultKind?

    /// Answers with a code (RFC 6749 §4.1.2).
    func success(code: String) -> ServerResponse { send([("code", code)]) }

    /// Answers with an error (RFC 6749 §4.1.2.1).
    func refusal(_ problem: OAuthProblem) -> ServerResponse {
        send([("error", problem.code), ("error_description", problem.detail)])
    }

    private func send(_ result: [(name: String, value: String)]) -> ServerResponse {
        var parameters = result
        switch fault {
        case .missingState: break
        case .wrongState: parameters.append(("state", (state ?? "") + "x"))
        default: if let state { parameters.append(("state", state)) }
        }
        switch fault {
        case .missingIss: break
        case .wrongIss: parameters.append(("iss", issuer + "/other"))
        default: parameters.append(("iss", issuer))  // RFC 9207 §2: on errors too.
        }
        switch mode {
        case .formPost: return Page.formPost(to: redirectURI, parameters)
        case .query:
            let query = parameters.map { "\($0.name)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
            let separator = redirectURI.contains("?") ? (redirectURI.hasSuffix("?") ? "" : "&") : "?"
            var response = ServerResponse.redirect(to: redirectURI + separator + query)
            response.fields.append(HTTPField("Cache-Control", "no-store"))
            return response
        }
    }
}
