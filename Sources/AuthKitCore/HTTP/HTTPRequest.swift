/// One request: everything a transport needs, limits included.
public struct HTTPRequest: Sendable {
    /// The method, upper case.
    public var method: String
    /// Where to.
    public var url: WebURL
    /// Header fields, in order.
    public var fields: [HTTPField]
    /// What is sent.
    public var body: HTTPBody?
    /// The whole exchange must end within this.
    public var deadline: Duration = .seconds(30)
    /// No byte for this long ends the exchange.
    public var idleDeadline: Duration = .seconds(15)
    /// A larger body ends the exchange.
    public var bodyLimit: Int = 1 << 20
    /// Whether the transport may send the request again by itself, such as when a kept-alive connection turns out dead.
    ///
    /// False for anything with a one-time token: then a fresh connection is used, and nothing is sent twice.
    public var mayResend = false
    /// What is done with a 3xx answer.
    public var redirects: RedirectPolicy = .never
    /// Whom to trust and who to be.
    public var tls: TLSOptions = .init()

    /// Makes a request.
    public init(_ method: String, _ url: WebURL, fields: [HTTPField] = [], body: HTTPBody? = nil) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }

    /// Whether it carries a credential: a secret field, parameter, or client certificate.
    public var carriesCredential: Bool {
        if fields.contains(where: \.isSecret) || tls.clientCertificateFile != nil { return true }
        switch body {
        case .form(let parameters): return parameters.contains(where: \.isSecret)
        case .secretBytes: return true
        case .bytes, nil: return false
        }
    }
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method, the URL without query values, the names of the fields, and what kind of body there is.
    public var description: String {
        let names = fields.map(\.name).joined(separator: ", ")
        return "\(method) \(url) [\(names)]" + (body.map { " \($0)" } ?? "")
    }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// A mirror without children, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
