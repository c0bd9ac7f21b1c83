public import AuthKitCore

/// One answer of a handler.
public struct ServerResponse: Sendable {
    /// The status code.
    public var status: Int
    /// The header fields in order; length and transfer coding are the server's own and dropped here.
    public var fields: [HTTPField]
    /// The body.
    public var body: [UInt8]
    /// Whether the connection is closed instead of answering, as a crashed server does.
    package var isAborted = false
    /// How long each eight bytes of the body are held back; the server's other answers are delayed as well.
    ///
    /// For servers that play a broken one: the daemon's thread waits.
    package var pace: Duration?

    /// Makes an answer.
    public init(status: Int, fields: [HTTPField] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// No answer: the connection is closed.
    package static var aborted: Self {
        var response = Self(status: 503)
        response.isAborted = true
        return response
    }

    /// An answer in plain text.
    public static func text(_ text: String, status: Int = 200) -> Self {
        Self(status: status, fields: [HTTPField("Content-Type", "text/plain; charset=utf-8")], body: Array(text.utf8))
    }

    /// A page; what it contains must be escaped already.
    public static func html(_ page: String, status: Int = 200) -> Self {
        Self(status: status, fields: [HTTPField("Content-Type", "text/html; charset=utf-8")], body: Array(page.utf8))
    }

    /// A JSON document.
    public static func json(_ bytes: [UInt8], status: Int = 200) -> Self {
        Self(status: status, fields: [HTTPField("Content-Type", "application/json")], body: bytes)
    }

    /// A redirect that turns every method into GET (303, RFC 9110 §15.4.4).
    public static func redirect(to location: String) -> Self {
        Self(status: 303, fields: [HTTPField("Location", location)])
    }
}

extension ServerResponse: CustomStringConvertible, CustomReflectable {
    /// The status alone: fields and bodies carry codes and tokens.
    public var description: String { "\(status)" }
    /// A mirror with the status alone.
    public var customMirror: Mirror { Mirror(self, children: ["status": status]) }
}
