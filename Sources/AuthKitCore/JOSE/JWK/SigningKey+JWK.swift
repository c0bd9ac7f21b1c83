extension SigningKey {
    /// Reads a private JWK (RFC 7518 §6.2.2, §6.3.2; RFC 8037 §2) for one algorithm.
    ///
    /// An RSA key must have all its numbers. `key_mismatch` when the key is of another kind than the algorithm needs,
    /// or says that it is for something else.
    package static func make(_ members: JSONObject, algorithm: JWSAlgorithm) throws(JWTError) -> SigningKey {
        var publicMembers = members
        publicMembers["key_ops"] = nil
        let jwk = try JWK(publicMembers)
        guard jwk.fits(algorithm) else {
            throw JWTError(.keyMismatch, "The key is not one for \(algorithm); choose another key or algorithm.")
        }
        guard !jwk.isWeak else { throw JWTError(.weakKey, "Use an RSA key of at least 2048 bits.") }
        do {
            switch algorithm.scheme {
            case .rsaPKCS1, .rsaPSS:
                let names: [(String, ParameterName)] = [
                    ("n", .rsaN), ("e", .rsaE), ("d", .rsaD), ("p", .rsaP), ("q", .rsaQ), ("dp", .rsaDP),
                    ("dq", .rsaDQ), ("qi", .rsaQI),
                ]
                var numbers: [(ParameterName, [UInt8])] = []
                for (name, parameter) in names { numbers.append((parameter, try JWK.bytes(name, of: members))) }
                return try rsa(algorithm, numbers: numbers)
            case .ecdsa(let curve, _):
                return try ec(
                    algorithm,
                    curve,
                    x: JWK.bytes("x", of: members),
                    y: JWK.bytes("y", of: members),
                    d: JWK.bytes("d", of: members)
                )
            case .ed25519:
                return try ed25519(algorithm, x: JWK.bytes("x", of: members), d: JWK.bytes("d", of: members))
            }
        } catch let error as JWTError {
            throw error
        } catch {
            throw JWTError(.malformed, "The private key's numbers do not make a key.", cause: error)
        }
    }

    /// The public half as a JWK, with `alg` and `use`, for publication.
    package func publicJWK(keyID: String? = nil) throws -> JWK {
        var members = try publicMembers()
        members["alg"] = .string(algorithm.name)
        members["use"] = "sig"
        members["kid"] = keyID.map(JSONValue.string)
        return try JWK(members)
    }
}
