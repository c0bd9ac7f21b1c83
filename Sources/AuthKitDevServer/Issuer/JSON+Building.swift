import AuthKitCore

extension JSONObject {
    /// Makes an object of members, without those that are nil.
    static func make(_ members: [(name: String, value: JSONValue?)]) -> JSONObject {
        var object = JSONObject()
        for (name, value) in members { object[name] = value }
        return object
    }

    /// The JSON text.
    var bytes: [UInt8] { serialized() }
}

extension JSONValue {
    /// The `aud` claim (RFC 7519 §4.1.3): one value stands alone.
    static func audience(_ values: [String]) -> JSONValue {
        values.count == 1 ? .string(values[0]) : .strings(values)
    }
}
