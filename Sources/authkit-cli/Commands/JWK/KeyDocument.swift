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
        let members: JSONObject?
        do {
            members = try JSONValue(parsing: bytes).object
        } catch {
            throw JWTError(.malformed, "It is neither a JWK nor PEM text: \(error)", cause: error)
        }
        guard let members else { throw JWTError(.malformed, "It is neither a JWK nor PEM text.") }
        guard members["keys"] == nil || members["kty"] != nil else {
            throw JWTError(.malformed, "It is a key set: take the one key out of it; jwt verify reads sets by --jwks.")
        }
        form = .members(members)
        isPrivate = members["d"] != nil || members["kty"] == "oct"
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
