/// Makes compact JSON Web Signatures (RFC 7515 §5.1).
public enum JWS: Sendable {
    /// Signs a payload into a compact token.
    package static func sign(
        payload: [UInt8],
        with key: SigningKey,
        keyID: String? = nil,
        type: String? = nil
    ) throws(CryptoError) -> String {
        var header: JSONObject = ["alg": .string(key.algorithm.name)]
        header["typ"] = type.map(JSONValue.string)
        header["kid"] = keyID.map(JSONValue.string)
        return try sign(payload: payload, header: header, with: key)
    }

    /// Signs a payload under a header that is taken as it is, but for `alg`, which is the key's.
    ///
    /// Throws when libcrypto cannot sign.
    public static func sign(
        payload: [UInt8],
        header: JSONObject,
        with key: SigningKey
    ) throws(CryptoError) -> String {
        var header = header
        header["alg"] = .string(key.algorithm.name)
        let input = Base64URL.encode(header.serialized()) + "." + Base64URL.encode(payload)
        return input + "." + Base64URL.encode(try key.sign(Array(input.utf8)))
    }
}
