extension PrivateJWK {
    /// What RFC 7518 §6.3.2 asks for beside `d`, of a key with two primes.
    static let rsaFactors: [(String, ParameterName)] = [
        ("p", .rsaP), ("q", .rsaQ), ("dp", .rsaDP), ("dq", .rsaDQ), ("qi", .rsaQI),
    ]

    static func build(_ members: JSONObject, _ publicKey: JWK) throws -> Material {
        switch publicKey.key.kind {
        case .symmetric:
            guard let symmetric = publicKey.key.symmetric else { break }
            return .symmetric(symmetric)
        case .rsa: return .pair(try rsa(members, publicKey))
        case .ec(let curve): return .pair(try ec(members, curve))
        case .ed25519, .ed448, .x25519: return .pair(try octets(members, publicKey))
        }
        throw JWTError(.malformed, "The private key cannot be used.")
    }

    private static func rsa(_ members: JSONObject, _ publicKey: JWK) throws -> EVPKey {
        guard members["oth"] == nil else {
            throw JWTError(.malformed, "RSA keys of more than two primes are not supported.")
        }
        // Longer numbers than the modulus are none of its key, and testing them for primes could take hours.
        for name in ["d"] + rsaFactors.map(\.0) {
            guard (members[name]?.string?.utf8.count ?? 0) <= (publicKey.bits + 7) / 8 * 4 / 3 + 4 else {
                throw JWTError(.malformed, "The key's \(name) is longer than its modulus.")
            }
        }
        var parameters = ParameterList()
        for (name, parameter) in [("n", ParameterName.rsaN), ("e", .rsaE), ("d", .rsaD)] {
            try add(members, name, parameter, to: &parameters)
        }
        let hasFactors = rsaFactors.contains { members[$0.0] != nil }
        if hasFactors {
            for (name, parameter) in rsaFactors { try add(members, name, parameter, to: &parameters) }
        }
        let key = try EVPKey.make("RSA", parameters, isPrivate: true)
        // libcrypto compares the halves of a key only with its primes at hand; without them a signature tells.
        let isPair = hasFactors ? key.isConsistent : try signsFor(publicKey, key)
        guard isPair else { throw unequalHalves }
        return key
    }

    private static func signsFor(_ publicKey: JWK, _ key: EVPKey) throws(CryptoError) -> Bool {
        let message = Array("AuthKit".utf8)
        let signature = try SignatureContext.make(key, .rsaPKCS1(.sha256)).sign(message)
        return try publicKey.key.verify(signature: signature.span, message: message.span, algorithm: .rs256)
    }

    private static func ec(_ members: JSONObject, _ curve: EllipticCurve) throws -> EVPKey {
        let (x, y) = (try members.keyBytes("x"), try members.keyBytes("y"))
        var d = try members.keyBytes("d")
        defer { ConstantTime.wipe(&d) }
        // RFC 7518 §6.2.2.1: at full length.
        guard d.count == curve.coordinateCount else {
            throw JWTError(.malformed, "The key's d does not have the length that \(curve.name) asks for.")
        }
        var parameters = ParameterList()
        parameters.add(.group, text: curve.name)
        parameters.add(.publicKey, bytes: [4] + x + y)
        parameters.add(.privateKey, bigEndian: d)
        let key = try EVPKey.make("EC", parameters, isPrivate: true)
        guard key.isConsistent else { throw unequalHalves }
        return key
    }

    private static func octets(_ members: JSONObject, _ publicKey: JWK) throws -> EVPKey {
        guard let pair = publicKey.key.kind.octetKeyPair, let name = publicKey.key.kind.libraryName else {
            throw JWTError(.malformed, "The private key cannot be used.")
        }
        let d = try members.keySecret("d")
        guard d.count == pair.privateCount else {
            throw JWTError(.malformed, "The key's d does not have the length that \(pair.curve) asks for.")
        }
        // Made of the private bytes alone: libcrypto would believe any public ones.
        var parameters = ParameterList()
        parameters.add(.privateKey, secret: d)
        let key = try EVPKey.make(name, parameters, isPrivate: true)
        guard try key.rawPublicKey(count: pair.publicCount) == members.keyBytes("x") else { throw unequalHalves }
        return key
    }

    private static func add(
        _ members: JSONObject,
        _ name: String,
        _ parameter: ParameterName,
        to parameters: inout ParameterList
    ) throws {
        var bytes = try members.keyBytes(name)
        defer { ConstantTime.wipe(&bytes) }
        parameters.add(parameter, bigEndian: bytes)
    }

    private static var unequalHalves: JWTError {
        JWTError(.malformed, "The private half of the key does not belong to its public half.")
    }
}
