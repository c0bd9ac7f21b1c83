/// The header of a compact JWS (RFC 7515 §4), its parts checked for type but not yet trusted.
public struct JWSHeader: Sendable, Hashable {
    /// Every member as sent.
    public let members: JSONObject
    /// The `alg` as sent; it may name no algorithm that we have.
    public let algorithmName: String
    /// The `kid`.
    public let keyID: String?
    /// The `typ`.
    public let type: String?
    /// The `cty`.
    public let contentType: String?

    /// Reads a header; `malformed` when a member has the wrong type.
    init(_ members: JSONObject) throws(JWTError) {
        self.members = members
        // RFC 7515 §4.1.1: alg must be present.
        guard let algorithm = members["alg"]?.string else {
            throw JWTError(.malformed, "The token's header must name an algorithm in alg.")
        }
        algorithmName = algorithm
        keyID = try Self.text("kid", of: members)
        type = try Self.text("typ", of: members)
        contentType = try Self.text("cty", of: members)
    }

    /// The algorithm, where it is one that we have.
    public var algorithm: JWSAlgorithm? { JWSAlgorithm(name: algorithmName) }

    /// Refuses extensions that must be understood, since none is (RFC 7515 §4.1.11, RFC 7797 §6).
    func refuseCriticalExtensions() throws(JWTError) {
        if let critical = members["crit"] {
            guard let names = critical.array?.compactMap(\.string), !names.isEmpty,
                names.count == critical.array?.count,
                Set(names.map { Array($0.utf8) }).count == names.count
            else { throw JWTError(.malformed, "The token's crit must be a list of distinct names.") }
            throw JWTError(.unsupportedCritical, "The token asks for extensions in crit that are not supported here.")
        }
        // RFC 7797 §6: b64 must come with crit; without it other readers would read another payload.
        guard members["b64"] == nil else {
            throw JWTError(.unsupportedCritical, "The token uses b64, which is not supported here.")
        }
    }

    private static func text(_ name: String, of members: JSONObject) throws(JWTError) -> String? {
        guard let value = members[name] else { return nil }
        guard let text = value.string else { throw JWTError(.malformed, "The token's \(name) must be a string.") }
        return text
    }
}
