extension JWK {
    /// Builds the key of its members, and says which ones made it.
    static func build(_ members: JSONObject) throws -> (VerificationKey, JSONObject) {
        let curveName = members["crv"]?.string ?? ""
        switch members["kty"]?.string {
        case "RSA":
            let (n, e) = (try members.keyBytes("n"), try members.keyBytes("e"))
            let key = try VerificationKey.rsa(modulus: n, exponent: e)
            return (key, ["e": number(e), "kty": "RSA", "n": number(n)])
        case "EC":
            guard let curve = EllipticCurve(name: curveName) else {
                throw JWTError(.malformed, "The key's curve is not supported; use P-256, P-384, P-521 or secp256k1.")
            }
            let (x, y) = (try members.keyBytes("x"), try members.keyBytes("y"))
            let key = try VerificationKey.ec(curve, x: x, y: y)
            return (
                key,
                [
                    "crv": .string(curve.name), "kty": "EC", "x": .string(Base64URL.encode(x)),
                    "y": .string(Base64URL.encode(y)),
                ]
            )
        case "OKP":
            guard let kind = KeyKind.octetKeyPairs.first(where: { $0.octetKeyPair?.curve == curveName }) else {
                throw JWTError(.malformed, "The key's curve is not supported; use Ed25519, Ed448 or X25519.")
            }
            let x = try members.keyBytes("x")
            let key = try VerificationKey.octets(kind, x)
            return (key, ["crv": .string(curveName), "kty": "OKP", "x": .string(Base64URL.encode(x))])
        case "oct":
            // Too short for every algorithm, but a key: its use is refused by name.
            let bytes = members["k"]?.string == "" ? SecretBytes(copying: []) : try members.keySecret("k")
            return (VerificationKey(SymmetricKey(bytes)), ["kty": "oct"])
        default:
            throw JWTError(.malformed, "The key's type is not supported; use RSA, EC, OKP or oct.")
        }
    }

    /// RFC 7518 §2: an unsigned integer has no leading zeros; some issuers write one, which is dropped.
    private static func number(_ bytes: [UInt8]) -> JSONValue {
        .string(Base64URL.encode(Array(bytes.drop { $0 == 0 })))
    }
}

extension JSONObject {
    /// Reads a describing member of a key, which must be a string where it is present.
    func keyText(_ name: String) throws(JWTError) -> String? {
        guard let value = self[name] else { return nil }
        guard let text = value.string else { throw JWTError(.malformed, "The key's \(name) must be a string.") }
        return text
    }

    /// Reads a describing member of a key, which must be a list of strings where it is present.
    func keyTexts(_ name: String) throws(JWTError) -> [String]? {
        guard let value = self[name] else { return nil }
        guard let elements = value.array, case let texts = elements.compactMap(\.string), texts.count == elements.count
        else { throw JWTError(.malformed, "The key's \(name) must be a list of strings.") }
        return texts
    }

    /// Reads bytes that a key must have.
    func keyBytes(_ name: String) throws(JWTError) -> [UInt8] {
        let text = try keyBase64(name)
        do {
            return try Base64URL.decode(text)
        } catch {
            throw JWTError(.malformed, "The key's \(name) is not canonical base64url.")
        }
    }

    /// Reads secret bytes that a key must have.
    func keySecret(_ name: String) throws(JWTError) -> SecretBytes {
        guard let bytes = Base64URL.decode(secret: Array(try keyBase64(name).utf8)[...]) else {
            throw JWTError(.malformed, "The key's \(name) is not canonical base64url.")
        }
        return bytes
    }

    private func keyBase64(_ name: String) throws(JWTError) -> String {
        guard let value = self[name] else { throw JWTError(.malformed, "The key has no \(name).") }
        guard let text = value.string else { throw JWTError(.malformed, "The key's \(name) must be a string.") }
        guard !text.isEmpty else { throw JWTError(.malformed, "The key's \(name) is empty.") }
        guard text.utf8.count <= 1 << 14 else {
            throw JWTError(.malformed, "The key's \(name) is longer than any key's.")
        }
        return text
    }
}
