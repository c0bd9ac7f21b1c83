internal import AuthKitCore

/// Reads what a service says of an error, in any of the forms that are known or likely.
///
/// `error` is a string, or an object with `code` and `message`; `error_description` or `message` may stand beside it.
enum ErrorWords {
    /// The words of a JSON answer, bounded and tame, without what was sent; nil where it has none.
    static func read(_ response: HTTPResponse, secrets: [Secret]) -> OAuthErrorBody? {
        guard let object = JSONAnswer.object(response) else { return nil }
        let beside = object.words("error_description") ?? object.words("message")
        let found: (error: String, description: String?)? =
            switch object["error"] {
            case .string(let text) where !text.isEmpty: (text, beside)
            case .number(let number): (number.literal, beside)
            case .object(let inner):
                (inner.words("code") ?? inner.words("status") ?? "error", inner.words("message") ?? beside)
            default: beside.map { ("error", $0) }
            }
        guard let found else { return nil }
        return OAuthErrorBody(
            error: scrubbed(found.error, secrets),
            description: found.description.map { scrubbed($0, secrets) }
        )
    }

    /// A text that came, unless it repeats what was sent.
    private static func scrubbed(_ text: String, _ secrets: [Secret]) -> String {
        let echoes = secrets.contains { secret in
            let value = secret.reveal()
            return !value.isEmpty && (text.contains(value) || text.contains(PercentEncoding.encode(value)))
        }
        // A text like a token is none of a service's words, whosever token it is.
        let isToken = echoes || text.split(separator: " ").contains(where: looksLikeToken)
        return isToken ? "(withheld: it repeats a token)" : text
    }

    private static func looksLikeToken(_ word: Substring) -> Bool {
        word.utf8.count > 40 && word.split(separator: ".").count == 3
    }
}

extension JSONObject {
    /// A member that is text or a number, as text; nil for an empty one.
    fileprivate func words(_ name: String) -> String? {
        switch self[name] {
        case .string(let text): text.isEmpty ? nil : text
        case .number(let number): number.literal
        default: nil
        }
    }
}
