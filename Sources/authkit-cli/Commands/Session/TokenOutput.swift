internal import AuthKitCore

/// Writes a token in the form that was asked for.
struct TokenOutput: Sendable {
    private let issued: IssuedToken
    private let profile: String
    private let now: Moment

    /// Takes what a session gave.
    init(_ issued: IssuedToken, profile: String, now: Moment) {
        self.issued = issued
        self.profile = profile
        self.now = now
    }

    /// Writes it to standard output.
    func write(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
        let isIDToken = arguments.has("id-token")
        let held: HeldToken
        if isIDToken {
            guard let idToken = issued.idToken else {
                throw CommandFailure(
                    .negative,
                    "not_found",
                    "No ID token is held for \(profile); OpenID Connect profiles get one by signing in with openid in the scope."
                )
            }
            held = idToken
        } else {
            held = issued.token
        }
        let text = held.value.reveal()
        // A line end in a token would start another header field or variable.
        guard text.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else {
            throw CommandFailure(
                .protocolViolation,
                "malformed_token",
                "The token contains characters that no token may have, so it is not printed; report it to the issuer."
            )
        }
        switch arguments.value("format") ?? (console.style.json ? "json" : "raw") {
        case "header": try console.data("Authorization: \(isIDToken ? "Bearer" : type(of: held)) \(text)\n")
        case "env":
            let name = isIDToken ? "AUTHKIT_ID_TOKEN" : "AUTHKIT_ACCESS_TOKEN"
            try console.data("\(name)=\(PrivatePlace.shellQuoted(text))\n")
        case "json": try console.data(.object(document(held, text, isIDToken)))
        default: try console.data(text + "\n")
        }
    }

    private func document(_ held: HeldToken, _ text: String, _ isIDToken: Bool) -> JSONObject {
        var object: JSONObject = ["profile": .string(profile)]
        object[isIDToken ? "id_token" : "access_token"] = .string(text)
        if !isIDToken { object["token_type"] = .string(type(of: held)) }
        let times = ExpiryText(held.expiry, now: now)
        object["expires_at"] = times.at
        object["expires_in"] = times.left
        if !isIDToken { object["scope"] = held.scope.map { .string($0.description) } ?? .null }
        object["refreshed"] = .bool(issued.refreshed)
        return object
    }

    /// RFC 6749 §5.1: the type is compared without case; written as RFC 6750 writes it.
    private func type(of held: HeldToken) -> String {
        held.type.lowercased() == "bearer" ? "Bearer" : SafeText.tamed(held.type)
    }
}
