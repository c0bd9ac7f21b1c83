internal import AuthKitCore

extension JSONObject {
    /// The largest answer that is read.
    static let sizeLimit = 4 << 20

    /// The one object that bytes are; nil for anything else.
    static func reading(_ bytes: [UInt8]) -> JSONObject? {
        guard case .object(let object)? = try? JSONValue(parsing: bytes, limits: JSONLimits(byteCount: sizeLimit))
        else {
            return nil
        }
        return object
    }

    /// Whether a member is there and not null.
    func has(_ name: String) -> Bool { self[name].map { !$0.isNull } ?? false }

    /// A member that is a string.
    func text(_ name: String) -> String? { self[name]?.string }

    /// The strings of a member that is an array; nil when it is none.
    func texts(_ name: String) -> [String]? { self[name]?.array?.compactMap(\.string) }
}
