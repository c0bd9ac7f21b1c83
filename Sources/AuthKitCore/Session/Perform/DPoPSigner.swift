/// Makes DPoP proofs with a credential's key (RFC 9449 §4.2).
struct DPoPSigner: Sendable {
    /// Where the key names no algorithm: the first that it fits.
    private static let algorithms: [JWSAlgorithm] = [.es256, .es384, .es512, .edDSA, .ps256]

    private let key: SigningKey
    private let publicKey: JSONObject

    /// Reads a private JWK; `malformed` or `key_mismatch` when it is none that signs.
    init(_ secret: Secret) throws(JWTError) {
        let jwk = try PrivateJWK(parsing: Array(secret.reveal().utf8))
        // RFC 9449 §4.2: an asymmetric algorithm, and the public half alone in the header.
        guard !jwk.isSymmetric else {
            throw JWTError(.keyMismatch, "A DPoP key must be a pair; make a new one of type EC.")
        }
        let named = jwk.algorithmName.flatMap { JWSAlgorithm(name: $0) }
        guard let algorithm = named ?? Self.algorithms.first(where: { jwk.maySign(with: $0) }) else {
            throw JWTError(.keyMismatch, "The DPoP key fits no algorithm that is known; make one for ES256.")
        }
        key = try SigningKey(jwk, algorithm: algorithm)
        publicKey = jwk.publicKey.required
    }

    /// Makes a proof for one request; no two are alike.
    func proof(
        method: String,
        url: WebURL,
        accessToken: Secret,
        nonce: String?,
        at time: WallTime
    ) throws -> Secret {
        let header: JSONObject = ["typ": "dpop+jwt", "jwk": .object(publicKey)]
        var claims: JSONObject = [
            "jti": .string(Base64URL.encode(try Random.bytes(16))),
            "htm": .string(method),
            // RFC 9449 §4.2: without query and fragment.
            "htu": .string(String(url.text.prefix { $0 != "?" })),
            "iat": .integer(Int(time.seconds)),
            // RFC 9449 §4.2: base64url of the SHA-256 of the token's ASCII.
            "ath": .string(Base64URL.encode(SHA256.digest(Array(accessToken.reveal().utf8)))),
        ]
        claims["nonce"] = nonce.map(JSONValue.string)
        return Secret(try JWS.sign(payload: claims.serialized(), header: header, with: key))
    }
}
