import AuthKitCore

/// A key that signs, with its name and its public half.
struct IssuerKey: Sendable {
    /// The `kid`.
    let id: String
    /// The public half as a JWK (RFC 7517 §4).
    let publicKey: JSONObject
    private let key: SigningKey

    /// Makes a new key; throws `cryptography`.
    init(_ algorithm: DevSigningAlgorithm) throws(DevServerError) {
        do {
            id = "dev-" + Base64URL.encode(try Random.bytes(9))
            key = try SigningKey.generate(algorithm == .rs256 ? .rs256 : .es256)
            var members = try key.publicJWK(keyID: id).required
            members["kid"] = .string(id)
            members["alg"] = .string(algorithm.rawValue)
            members["use"] = "sig"
            publicKey = members
        } catch {
            throw DevServerError(.cryptography, "The issuer cannot make a signing key: \(error)")
        }
    }

    /// A signed JWT.
    func sign(_ claims: JSONObject, type: String, keyID: String? = nil) throws(OAuthProblem) -> String {
        do {
            return try JWS.sign(payload: claims.bytes, with: key, keyID: keyID ?? id, type: type)
        } catch {
            throw OAuthProblem("server_error", "The token cannot be signed.", status: 500)
        }
    }

    /// A signed JWT, or one that is signed as a fault wants it.
    func token(_ claims: JSONObject, fault: FaultKind?) throws(OAuthProblem) -> String {
        switch fault {
        case .unknownKey: return try sign(claims, type: "JWT", keyID: "dev-unknown")
        case .unsigned:
            let header: JSONObject = ["alg": "none", "typ": "JWT"]
            return "\(Base64URL.encode(header.bytes)).\(Base64URL.encode(claims.bytes))."
        case .badSignature:
            let token = try sign(claims, type: "JWT")
            guard let dot = token.lastIndex(of: ".") else { return token }
            let signature = token[token.index(after: dot)...]
            return token[...dot] + (signature.hasPrefix("A") ? "B" : "A") + signature.dropFirst()
        default: return try sign(claims, type: "JWT")
        }
    }
}
