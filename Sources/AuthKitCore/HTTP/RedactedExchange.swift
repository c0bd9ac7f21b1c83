/// Writes requests and answers as lines that hold no secret.
enum RedactedExchange {
    /// Query parameters whose values are harmless; a code, a state, a token or a challenge is not among them.
    private static let shownParameters: Set<String> = [
        "acr_values", "audience", "claims_locales", "client_id", "code_challenge_method", "display", "error",
        "grant_type", "max_age", "post_logout_redirect_uri", "prompt", "redirect_uri", "resource", "response_mode",
        "response_type", "scope", "ui_locales",
    ]
    /// Fields of answers whose values are harmless.
    private static let shownFields: Set<String> = [
        "age", "cache-control", "content-length", "content-type", "date", "retry-after",
    ]
    /// Request fields that are redacted even when their maker forgot to.
    private static let secretFields: Set<String> = ["authorization", "cookie", "proxy-authorization"]
    /// Members of JSON bodies whose values are harmless.
    private static let shownMembers: Set<String> = [
        "error", "expires_in", "grantType", "grant_type", "issuer", "scope", "token_type",
    ]
    /// What may follow a cookie's value (RFC 6265 §4.1.1); shown by name.
    private static let cookieAttributes: Set<String> = [
        "domain", "expires", "httponly", "max-age", "partitioned", "path", "samesite", "secure",
    ]
    private static let textLimit = 1024
    private static let withheld = "<withheld: it repeats a secret of the request>"

    /// The request line, the fields, the body.
    static func lines(of request: HTTPRequest) -> [String] {
        var lines = [clean("\(request.method) \(shown(request.url.text))")]
        lines += request.fields.map { field in
            clean(isSecret(field) ? "\(field.name): <redacted>" : field.description)
        }
        switch request.body {
        case .form(let parameters):
            lines += parameters.map { clean($0.description) }
        case .secretBytes(let bytes, let contentType):
            let object = try? JSONValue(parsing: bytes).object
            lines.append(clean("\(contentType): \(object.map(names) ?? "<\(bytes.count) bytes>")"))
        case .bytes(let bytes, let contentType):
            let text = String(validating: bytes, as: UTF8.self) ?? "<\(bytes.count) bytes>"
            lines.append(clean("\(contentType): \(text)"))
        case nil:
            break
        }
        return lines
    }

    /// The status, the fields that may be shown, the names in the body.
    ///
    /// A line that has a secret of the request in it is withheld: what a server repeats is not harmless.
    static func lines(of answer: HTTPResponse, to request: HTTPRequest) -> [String] {
        let secrets = secrets(of: request)
        var lines: [String] = []
        if answer.url != request.url { lines.append("from \(shown(answer.url.text))") }
        lines += answer.fields.compactMap(line)
        if let object = try? JSONValue(parsing: answer.body).object {
            lines.append(names(of: object))
        } else if !answer.body.isEmpty {
            lines.append("<\(answer.body.count) bytes>")
        }
        return ["HTTP \(answer.status)"] + lines.map { secrets.appear(in: $0) ? withheld : clean($0) }
    }

    /// How an exchange without an answer ended.
    static func line(of error: any Error, after request: HTTPRequest) -> String {
        switch error {
        case is CancellationError: return "cancelled"
        case let failure as any ProviderFailure:
            let line = "failed: \(failure.code): \(failure.description)"
            return secrets(of: request).appear(in: line) ? withheld : clean(line)
        default: return "failed: \(type(of: error))"
        }
    }

    private static func secrets(of request: HTTPRequest) -> RequestSecrets {
        RequestSecrets(of: request, isSecretField: isSecret) { !shownParameters.contains($0) }
    }

    private static func isSecret(_ field: HTTPField) -> Bool {
        field.isSecret || secretFields.contains(field.name.lowercased())
    }

    private static func line(of field: HTTPField) -> String? {
        let name = field.name.lowercased()
        if name == "location" { return "\(field.name): \(shown(field.value))" }
        if name == "www-authenticate" { return "\(field.name): \(challenge(field.value))" }
        if name == "set-cookie" { return "\(field.name): \(cookie(field.value))" }
        return shownFields.contains(name) ? field.description : nil
    }

    /// A cookie's name, and the names of its attributes.
    private static func cookie(_ value: String) -> String {
        let parts = value.split(separator: ";").map { part in part.prefix { $0 != "=" }.trimmingSpaces() }
        guard let name = parts.first, value.contains("="), isWord(name) else { return "…" }
        let attributes = parts.dropFirst().filter { cookieAttributes.contains($0.lowercased()) }
        return (["\(name)=<redacted>"] + attributes).joined(separator: "; ")
    }

    /// An object's names, with the values that may be shown.
    private static func names(of object: JSONObject) -> String {
        "{\(object.members.map(member).joined(separator: ", "))}"
    }

    private static func member(_ member: JSONObject.Member) -> String {
        let name = isWord(member.name) ? member.name : "…"
        guard shownMembers.contains(member.name) else { return "\(name)=…" }
        switch (member.name, member.value) {
        case ("scope", .string(let text)):
            let scopes = text.split(separator: " ", omittingEmptySubsequences: false)
            return "\(name)=\(scopes.allSatisfy { isWord($0, with: ":/", limit: 128) } ? text : "…")"
        case ("issuer", .string(let text)):
            return "\(name)=\(WebURL(text).map { $0.description } ?? "…")"
        case (_, .string(let text)):
            return "\(name)=\(isWord(text) ? text : "…")"
        case (_, .number), (_, .bool), (_, .null):
            return "\(name)=\(String(decoding: member.value.serialized(), as: UTF8.self))"
        case (_, .array), (_, .object):
            return "\(name)=…"
        }
    }

    /// Whether a text is a code as protocols have them, and no sentence in which a server may say anything.
    private static func isWord(_ text: some StringProtocol, with more: String = "", limit: Int = 64) -> Bool {
        (1...limit).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "_.-".utf8.contains(byte) || more.utf8.contains(byte)
                }
            }
    }

    /// A URL without its fragment, which may hold tokens, and with harmless values of its query only.
    private static func shown(_ url: String) -> String {
        let url = url.prefix { $0 != "#" }
        let address = url.prefix { $0 != "?" }
        // Before an at sign there may be a password (RFC 3986 §3.2.1).
        guard !address.contains("@") else { return "…" }
        guard address.count < url.count else { return String(address) }
        let parameters = url.dropFirst(address.count + 1).split(separator: "&").map { parameter in
            let name = parameter.prefix { $0 != "=" }
            return shownParameters.contains(String(name))
                ? String(parameter) : "\(isWord(name) && name.count < parameter.count ? name + "=" : "")…"
        }
        return "\(address)?\(parameters.joined(separator: "&"))"
    }

    /// The scheme of a challenge, and its `error` (RFC 6750 §3): realms and nonces are left out.
    private static func challenge(_ value: String) -> String {
        let scheme = value.prefix { $0 != " " && $0 != "," && $0 != "=" }
        guard isWord(scheme) else { return "…" }
        let parameters = value.dropFirst(scheme.count).split(separator: ",").map { $0.trimmingSpaces() }
        guard let error = parameters.first(where: { $0.hasPrefix("error=") }) else { return String(scheme) }
        let code = error.dropFirst(6).split(separator: "\"", omittingEmptySubsequences: true).first ?? ""
        return "\(scheme) error=\(isWord(code) ? "\"\(code)\"" : "…")"
    }

    /// A line that stays one line and is not too long.
    private static func clean(_ text: String) -> String {
        let scalars = text.unicodeScalars.prefix(textLimit).map { scalar in
            scalar.value < 32 || (127...159).contains(scalar.value) ? Character("\u{FFFD}") : Character(scalar)
        }
        return String(scalars) + (text.unicodeScalars.count > textLimit ? "…" : "")
    }
}
