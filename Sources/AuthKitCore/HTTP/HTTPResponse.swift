/// One answer, whole.
public struct HTTPResponse: Sendable {
    /// The status code.
    public var status: Int
    /// Header fields in order of arrival, repeats included.
    public var fields: [HTTPField]
    /// The body.
    public var body: [UInt8]
    /// Where it came from, after redirects.
    public var url: WebURL

    /// When it was whole: what lifetimes are counted from.
    public var receivedAt: Moment

    /// Makes an answer.
    public init(status: Int, fields: [HTTPField] = [], body: [UInt8] = [], url: WebURL, receivedAt: Moment) {
        self.receivedAt = receivedAt
        self.status = status
        self.fields = fields
        self.body = body
        self.url = url
    }

    /// The media type, lower case and without parameters.
    public var mediaType: String? {
        fields.first(named: "content-type")?.split(separator: ";").first.map {
            $0.lowercased().trimmingSpaces()
        }
    }
}

extension HTTPResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The status, the URL without query values, the names of the fields, and the size of the body.
    public var description: String {
        "HTTP \(status) from \(url) [\(fields.map(\.name).joined(separator: ", "))] \(body.count) bytes"
    }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// A mirror without children, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
