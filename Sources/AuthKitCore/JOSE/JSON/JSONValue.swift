/// A JSON value: what every reader and writer of JSON here speaks.
///
///     let value: JSONValue = ["name": "work", "scopes": ["openid", "email"], "leeway": 60]
///     let scopes = value["scopes"]?.array?.compactMap(\.string)
public enum JSONValue: Sendable, Hashable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number, as written.
    case number(JSONNumber)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object(JSONObject)

    /// Reads bytes strictly by RFC 8259.
    ///
    /// Refused are also duplicate names, strings that are not UTF-8, lone surrogates, a byte order mark, anything
    /// behind the value, and more depth or bytes than allowed.
    public init(parsing bytes: [UInt8], limits: JSONLimits = .init()) throws(JSONError) {
        self = try JSONReader.read(bytes.span, limits: limits)
    }

    /// The JSON text, without spaces or indented by two.
    public func serialized(pretty: Bool = false) -> [UInt8] {
        var writer = JSONWriter(pretty: pretty)
        writer.write(self)
        return writer.bytes
    }

    /// Compares strings byte for byte, and objects without the order of their members.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }
}

extension JSONValue {
    /// Whether it is `null`.
    public var isNull: Bool { self == .null }

    /// The truth value, if it is one.
    public var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The number, if it is one.
    public var number: JSONNumber? {
        guard case .number(let value) = self else { return nil }
        return value
    }

    /// The number, if it is a whole one in range.
    public var int64: Int64? { number?.int64 }

    /// The number as a floating-point value, if it is one in range.
    public var double: Double? { number?.double }

    /// The text, if it is a string.
    public var string: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// The elements, if it is an array.
    public var array: [JSONValue]? {
        guard case .array(let value) = self else { return nil }
        return value
    }

    /// The object, if it is one.
    public var object: JSONObject? {
        guard case .object(let value) = self else { return nil }
        return value
    }

    /// The member of a name, if it is an object that has it.
    public subscript(name: String) -> JSONValue? { object?[name] }
}
