internal import AuthKitCore

/// A key as a file has it: a JWK, or PEM text.
struct KeyDocument: Sendable {
    private enum Form: Sendable {
        case members(JSONObject)
        case pem(String)
    }

    private let form: Form
    /// Whether it says more than others may know: a private half, or a symmetric key.
    let isPrivate: Bool

    /// Looks at a file's bytes; `malformed` when they are no key at all.
    init(parsing bytes: [UInt8]) throws(JWTError) {
        if let text = String(validating: bytes, as: UTF8.self), text.contains("-----BEGIN ") {
            form = .pem(text)
            isPrivate = text.contains(" PRIVATE KEY-----") || text.contains("-----BEGIN PRIVATE KEY-----")
            return
        }
        guard bytes.first(where: { !Self.spaces.contains($0) }) == UInt8(ascii: "{") else { throw Self.noKey(bytes) }
        let members: JSONObject?
        do {
            members = try JSONValue(parsing: bytes).object
        } catch {
            throw JWTError(.malformed, "It is not a usable JWK: \(error.reason).", cause: error)
        }
        guard let members else { throw Self.noKey(bytes) }
        guard members["keys"] == nil || members["kty"] != nil else {
            throw JWTError(.malformed, "It is a key set: take the one key out of it; jwt verify reads sets by --jwks.")
        }
        form = .members(members)
        isPrivate = members["d"] != nil || members["kty"] == "oct"
    }

    private static let spaces: [UInt8] = Array(" \t\r\n".utf8)

    private static func noKey(_ bytes: [UInt8]) -> JWTError {
        // Every key in DER is a SEQUENCE (X.690 §8.9), whose first byte is also the digit 0.
        if bytes.first == 0x30, bytes.count > 2, bytes[1] >= 0x80 || Int(bytes[1]) == bytes.count - 2 {
            return JWTError(
                .malformed,
                "It is a key in DER; write it as PEM text first, by 'openssl pkey', with -pubin for a public one."
            )
        }
        return JWTError(.malformed, "It is neither a JWK nor PEM text; name the file that has the key.")
    }

    /// The key as it says that it is, for checking signatures: its own `use` and `key_ops` hold.
    func verificationKey() throws(JWTError) -> JWK {
        switch form {
        case .members(let members): try JWK(members)
        case .pem(let text): try JWK(pem: text)
        }
    }

    /// What others may use: of a private key the public half, whose `key_ops` are the counterparts.
    func publicKey() throws(JWTError) -> JWK {
        isPrivate ? try privateKey().publicKey : try verificationKey()
    }

    /// The private or symmetric key; `key_mismatch` where there is a public one only.
    func privateKey() throws(JWTError) -> PrivateJWK {
        guard isPrivate else {
            throw JWTError(.keyMismatch, "It is a public key; name the file that has the private one.")
        }
        switch form {
        case .members(let members): return try PrivateJWK(members)
        case .pem(let text): return try PrivateJWK(pem: text)
        }
    }
}
