/// A compact JWE, taken apart and decoded; nothing is checked beyond its form (RFC 7516 §7.1).
struct CompactJWE {
    /// Tokens beyond this are refused before anything else is looked at.
    static let byteLimit = CompactJWS.byteLimit

    /// The protected header as sent: what the content is bound to (RFC 7516 §5.2 step 14).
    let authenticated: [UInt8]
    let header: [UInt8]
    let encryptedKey: [UInt8]
    let iv: [UInt8]
    let ciphertext: [UInt8]
    let tag: [UInt8]

    /// Splits and decodes; `too_large` or `malformed`.
    init(_ token: String) throws(JWTError) {
        guard token.utf8.count <= Self.byteLimit else {
            throw JWTError(.tooLarge, "The token is larger than \(Self.byteLimit) bytes.")
        }
        let bytes = Array(token.utf8)
        let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 5, omittingEmptySubsequences: false)
        // The JSON form has dots as well, in addresses and names.
        guard parts.count == 5, bytes.first != UInt8(ascii: "{") else {
            throw Self.formError(bytes, parts: parts.count)
        }
        var decoded: [[UInt8]] = []
        for part in parts {
            do throws(Base64URLError) {
                decoded.append(try Base64URL.decode(bytes: part))
            } catch {
                throw JWTError(.malformed, "A part of the token is not canonical base64url.", cause: error)
            }
        }
        authenticated = Array(parts[0])
        (header, encryptedKey, iv) = (decoded[0], decoded[1], decoded[2])
        (ciphertext, tag) = (decoded[3], decoded[4])
    }

    /// Refuses lengths that the header's algorithms do not have; `malformed`.
    func checkLengths(_ algorithm: JWEAlgorithm, _ encryption: ContentEncryption) throws(JWTError) {
        if let count = algorithm.encryptedKeyCount(for: encryption), encryptedKey.count != count {
            throw JWTError(.malformed, "The token's encrypted key does not have the length that \(algorithm) has.")
        }
        guard iv.count == encryption.ivCount, tag.count == encryption.tagCount else {
            throw JWTError(.malformed, "The token's IV or tag does not have the length that \(encryption) has.")
        }
    }

    private static func formError(_ token: [UInt8], parts: Int) -> JWTError {
        if token.first == UInt8(ascii: "{") {
            return JWTError(.malformed, "The token is in JSON serialization; only the compact form is accepted.")
        }
        if parts == 3 {
            return JWTError(.malformed, "The token has three parts, so it is signed and not encrypted: verify it.")
        }
        return JWTError(.malformed, "An encrypted token has five parts with dots between them.")
    }
}
