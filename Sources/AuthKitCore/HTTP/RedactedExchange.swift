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
    /// Members of JSON answers whose values are harmless.
    private static let shownMembers: Set<String> = ["error", "expires_in", "issuer", "scope", "token_type"]
    private static let textLimit = 1024

    /// The request line, the fields, the body.
    static func lines(of request: HTTPRequest) -> [String] {
        var lines = ["\(request.method) \(shown(request.url.text))"]
        lines += request.fields.map { field in
            let isSecret = secretFields.contains(field.name.lowercased())
            return clean(isSecret ? "\(field.name): <redacted>" : field.description)
        }
        switch request.body {
        case .form(let parameters):
            lines += parameters.map { clean($0.description) }
        case .secretBytes(let bytes, let contentType):
            lines.append(clean("\(contentType): <\(bytes.count) bytes>"))
        case .bytes(let bytes, let contentType):
            let text = String(validating: bytes, as: UTF8.self) ?? "<\(bytes.count) bytes>"
            lines.append(clean("\(contentType): \(text)"))
        case nil:
            break
        }
        return lines
    }

    /// The status, the fields that may be shown, the names in the body.
    static func lines(of answer: HTTPResponse, to request: HTTPRequest) -> [String] {
        var lines = ["HTTP \(answer.status)"]
        if answer.url != request.url { lines.append("from \(shown(answer.url.text))") }
        lines += answer.fields.compactMap(line)
        if answer.body.isEmpty { return lines }
        if let object = try? JSONValue(parsing: answer.body).object {
            lines.append(clean("{\(object.members.map(member).joined(separator: ", "))}"))
        } else {
            lines.append("<\(answer.body.count) bytes>")
        }
        return lines
    }

    /// How an exchange without an answer ended.
    static func line(of error: any Error) -> String {
        switch error {
        case is CancellationError: "cancelled"
        case let failure as any ProviderFailure: clean("failed: \(failure.code): \(failure.description)")
        default: "failed: \(type(of: error))"
        }
    }

    private static func line(of field: HTTPField) -> String? {
        let name = field.name.lowercased()
        if name == "location" { return clean("\(field.name): \(shown(field.value))") }
        if name == "www-authenticate" { return clean("\(field.name): \(challenge(field.value))") }
        return shownFields.contains(name) ? clean(field.description) : nil
    }

    private static func member(_ member: JSONObject.Member) -> String {
        let (name, value) = (member.name, member.value)
        guard shownMembers.contains(name) else { return "\(name)=…" }
        switch value {
        case .string(let text): return "\(name)=\(text)"
        case .number, .bool, .null: return "\(name)=\(String(decoding: value.serialized(), as: UTF8.self))"
        case .array, .object: return "\(name)=…"
        }
    }

    /// A URL without its fragment, which may hold tokens, and with harmless values of its query only.
    private static func shown(_ url: String) -> String {
        let url = url.prefix { $0 != "#" }
        let address = url.prefix { $0 != "?" }
        guard address.count < url.count else { return clean(String(address)) }
        let parameters = url.dropFirst(address.count + 1).split(separator: "&").map { parameter in
            let name = parameter.prefix { $0 != "=" }
            return shownParameters.contains(String(name)) ? String(parameter) : "\(name)=…"
        }
        return clean("\(address)?\(parameters.joined(separator: "&"))")
    }

    /// The scheme of a challenge, and its `error` (RFC 6750 §3): realms and nonces are left out.
    private static func challenge(_ value: String) -> String {
        let scheme = value.prefix { $0 != " " && $0 != "," && $0 != "=" }
        let parameters = value.dropFirst(scheme.count).split(separator: ",").map { $0.trimmingSpaces() }
        guard let error = parameters.first(where: { $0.hasPrefix("error=") }) else { return String(scheme) }
        return "\(scheme) \(error)"
    }

    /// A line that stays one line and is not too long.
    private static func clean(_ text: String) -> String {
        let scalars = text.unicodeScalars.prefix(textLimit).map { scalar in
            scalar.value < 32 || (127...159).contains(scalar.value) ? Character("\u{FFFD}") : Character(scalar)
        }
        return String(scalars) + (text.unicodeScalars.count > textLimit ? "…" : "")
    }
}
