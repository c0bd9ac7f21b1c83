/// The header of a compact JWS (RFC 7515 §4), its parts checked for type but not yet trusted.
public struct JWSHeader: Sendable {
    private let index: JSONMembers

    /// Reads a header; `malformed` when a member has the wrong type.
    init(_ index: JSONMembers) throws(JWTError) {
        // RFC 7515 §4.1.1: alg must be present.
        guard index.find(.algorithm)?.kind == .string else {
            throw JWTError(.malformed, "The token's header must name an algorithm in alg.")
        }
        for (name, text) in [(JSONName.keyID, "kid"), (.type, "typ"), (.contentType, "cty")] {
            guard let kind = index.find(name)?.kind, kind != .string else { continue }
            throw JWTError(.malformed, "The token's \(text) must be a string.")
        }
        self.index = index
    }

    /// Takes over what `HeaderFields` has checked.
    init(checked index: JSONMembers) {
        self.index = index
    }

    /// Every member as sent.
    public var members: JSONObject { index.object }
    /// The `alg` as sent; it may name no algorithm that we have.
    public var algorithmName: String { text(.algorithm) ?? "" }
    /// The `kid`.
    public var keyID: String? { text(.keyID) }
    /// The `typ`.
    public var type: String? { text(.type) }
    /// The `cty`.
    public var contentType: String? { text(.contentType) }

    /// The algorithm, where it is one that we have.
    public var algorithm: JWSAlgorithm? { JWSAlgorithm(name: algorithmName) }

    private func text(_ name: JSONName) -> String? { index.find(name).flatMap(index.text) }
}

extension JWSHeader: Hashable {
    /// Compares what was sent, without order.
    public static func == (left: JWSHeader, right: JWSHeader) -> Bool { left.members == right.members }

    /// Hashes what was sent, without order.
    public func hash(into hasher: inout Hasher) { hasher.combine(members) }
}
