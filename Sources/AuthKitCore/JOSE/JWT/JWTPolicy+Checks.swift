extension JWTPolicy {
    /// Finds the token's algorithm and makes sure that it is allowed (RFC 8725 §3.1).
    func algorithm(of header: JWSHeader) throws(JWTError) -> JWSAlgorithm {
        guard let algorithm = header.algorithm else {
            throw JWTError(.unsupportedAlgorithm, "The token's algorithm is not supported.")
        }
        // EdDSA and Ed25519 are two names of one signature; a list that has either allows both.
        guard algorithms.contains(where: { $0.isSameSignature(as: algorithm) }) else {
            throw JWTError(.algorithmNotAllowed, "The token is signed with \(algorithm), which is not allowed here.")
        }
        return algorithm
    }

    /// Checks the header and claims of a token whose signature is valid.
    func check(_ header: JWSHeader, _ claims: JWTClaims, at now: WallTime) throws(JWTError) {
        try checkType(header.type)
        for name in requiredClaims where claims.object[name].map(\.isNull) ?? true {
            throw Self.missing(name)
        }
        if let issuer = issuer.name {
            guard let actual = claims.issuer else { throw Self.missing("iss") }
            guard actual.hasSameBytes(as: issuer) else {
                throw JWTError(.wrongIssuer, "The token comes from another issuer than \(issuer).")
            }
        }
        if let audience = audience.name {
            guard let actual = claims.audience else { throw Self.missing("aud") }
            // RFC 7519 §4.1.3: refused unless we are named.
            guard actual.contains(where: { $0.hasSameBytes(as: audience) }) else {
                throw JWTError(.wrongAudience, "The token is not for \(audience).")
            }
        }
        try checkTimes(claims, at: now)
        if let nonce {
            guard let actual = claims.object["nonce"] else { throw Self.missing("nonce") }
            guard let actual = actual.string else {
                throw JWTError(.malformedClaims, "The token's nonce must be a string.")
            }
            guard ConstantTime.equal(Array(actual.utf8), Array(nonce.utf8)) else {
                throw JWTError(.wrongNonce, "The token belongs to another request; start again.")
            }
        }
    }

    private func checkTimes(_ claims: JWTClaims, at now: WallTime) throws(JWTError) {
        // RFC 7519 §4.1.4: now must be before exp.
        if let expiresAt = claims.expiresAt, now - clockSkew >= expiresAt {
            throw JWTError(.expired, "The token ended at \(expiresAt), it is \(now).")
        }
        // RFC 7519 §4.1.5: now must be at or after nbf.
        if let notBefore = claims.notBefore, now + clockSkew < notBefore {
            throw JWTError(.notYetValid, "The token begins at \(notBefore), it is \(now): check the clocks.")
        }
        if let issuedAt = claims.issuedAt, now + clockSkew < issuedAt {
            throw JWTError(.issuedInFuture, "The token was issued at \(issuedAt), it is \(now): check the clocks.")
        }
    }

    private func checkType(_ type: String?) throws(JWTError) {
        guard let accepted = self.type.accepted else { return }
        guard let type else {
            if self.type.mayBeAbsent { return }
            throw JWTError(.wrongType, "The token has no typ, but must be \(accepted.joined(separator: " or ")).")
        }
        guard accepted.contains(where: { Self.mediaType($0) == Self.mediaType(type) }) else {
            throw JWTError(.wrongType, "The token's typ must be \(accepted.joined(separator: " or ")).")
        }
    }

    /// RFC 7515 §4.1.9: a type without a slash has an implied `application/`.
    private static func mediaType(_ type: String) -> [UInt8] {
        let lower = type.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return lower.contains(UInt8(ascii: "/")) ? lower : Array("application/".utf8) + lower
    }

    private static func missing(_ name: String) -> JWTError {
        JWTError(.missingClaim, "The token must have the claim \(name).")
    }
}
