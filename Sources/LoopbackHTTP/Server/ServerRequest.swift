public import AuthKitCore

/// One request as it came: nothing in it is believed or normalised.
public struct ServerRequest: Sendable {
    /// The method as written, `GET` or `POST` for example.
    public let method: String
    /// The path as written, escapes included, without the query.
    public let path: String
    /// The query as written, without its question mark.
    public let rawQuery: String?
    /// The query's parameters, decoded, in order, repeats included; empty when it has a bad escape.
    public let query: [(name: String, value: String)]
    /// The header fields in order, repeats included.
    public let fields: [HTTPField]
    /// The whole body, within `ServerLimits.bodyBytes`.
    public let body: [UInt8]

    /// Makes a request from the target of a request line (RFC 9112 §3.2.1, origin form).
    public init(method: String, target: String, fields: [HTTPField], body: [UInt8]) {
        let path = target.prefix { $0 != "?" }
        let query = target.dropFirst(path.count)
        self.method = method
        self.path = String(path)
        rawQuery = query.isEmpty ? nil : String(query.dropFirst())
        self.query = FormEncoding.decode(query.dropFirst()) ?? []
        self.fields = fields
        self.body = body
    }

    /// The `Host` field; nil when there is none or more than one (RFC 9112 §3.2).
    public var host: String? {
        let hosts = fields.all(named: "Host")
        return hosts.count == 1 ? hosts[0] : nil
    }

    /// The parameters of a posted form, in order, repeats included.
    ///
    /// Nil unless the body is `application/x-www-form-urlencoded` in UTF-8 without a bad escape.
    public func form() -> [(name: String, value: String)]? {
        let types = fields.all(named: "Content-Type")
        guard types.count == 1, let type = types[0].split(separator: ";").first,
            type.trimmingSpaces().lowercased() == "application/x-www-form-urlencoded",
            let text = String(validating: body, as: UTF8.self)
        else { return nil }
        return FormEncoding.decode(text)
    }
}

extension ServerRequest: CustomStringConvertible, CustomReflectable {
    /// Method and path alone: queries, fields and bodies carry codes and tokens.
    public var description: String { "\(method) \(path)" }
    /// A mirror with method and path alone.
    public var customMirror: Mirror { Mirror(self, children: ["method": method, "path": path]) }
}
