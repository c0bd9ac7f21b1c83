internal import AuthKitCore

/// Reads the JSON of answers: one object, of a bounded size, whose unknown members mean nothing.
enum JSONAnswer {
    /// The largest answer that is read, in bytes.
    static let sizeLimit = 1 << 20

    /// The object that an answer is, whatever it says of its media type; nil for anything else.
    static func object(_ response: HTTPResponse) -> JSONObject? {
        try? JSONValue(parsing: response.body, limits: JSONLimits(byteCount: sizeLimit)).object
    }

    /// A token in a member; nil when it is missing, empty, or would break a header field.
    static func token(_ name: String, in object: JSONObject) -> Secret? {
        guard let text = object[name]?.string, isToken(text) else { return nil }
        return Secret(text)
    }

    /// Whether a text can be sent as a token: visible ASCII, and no more of it than is kept (RFC 6749 Appendix A.12).
    static func isToken(_ text: String) -> Bool {
        (1...sizeLimit).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
