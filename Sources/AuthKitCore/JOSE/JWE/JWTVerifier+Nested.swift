extension JWTVerifier {
    /// Claims that a sender may repeat in the header of the encryption (RFC 7519 §5.3).
    private static let repeatedClaims = ["iss", "sub", "aud"]

    /// Decrypts a token and checks the signed one inside: every layer, each by its own policy.
    ///
    /// The encryption must say that it holds a token (`cty` is `JWT`), or it is `wrong_type`; what is inside must be
    /// signed, so that two layers are the most. Claims that are repeated in the outer header must be the same.
    public func verify(
        encrypted token: String,
        decryptingWith decryptionKeys: [PrivateJWK],
        policy: JWEPolicy,
        with keys: JWKSet,
        at now: WallTime
    ) throws(JWTError) -> VerifiedJWT {
        let outer = try JWE.decrypt(token, with: decryptionKeys, policy: policy)
        let inner = try verify(try Self.inner(of: outer), with: keys, at: now)
        try Self.compare(outer.header, inner)
        return inner
    }

    /// Decrypts a token and checks the signed one inside with the keys that an issuer publishes.
    ///
    /// As with a set of keys; throws `JWTError`, or what the transport threw when there are no keys at all.
    public func verify(
        encrypted token: String,
        decryptingWith decryptionKeys: [PrivateJWK],
        policy: JWEPolicy,
        with remote: RemoteJWKSet,
        at now: WallTime
    ) async throws -> VerifiedJWT {
        let outer = try JWE.decrypt(token, with: decryptionKeys, policy: policy)
        let inner = try await verify(try Self.inner(of: outer), with: remote, at: now)
        try Self.compare(outer.header, inner)
        return inner
    }

    private static func inner(of outer: DecryptedJWE) throws(JWTError) -> String {
        // RFC 7519 §5.2: a nested token must be announced by cty.
        guard let type = outer.header.contentType, MediaType("JWT").matches(type.utf8Span.span) else {
            throw JWTError(.wrongType, "The encrypted token must say in cty that it holds a signed JWT.")
        }
        guard let text = String(validating: outer.plaintext, as: UTF8.self) else {
            throw JWTError(.malformed, "The encrypted token does not hold a compact token.")
        }
        return text
    }

    private static func compare(_ outer: JWEHeader, _ inner: VerifiedJWT) throws(JWTError) {
        for name in repeatedClaims {
            // RFC 7519 §5.3: replicated claims are to be verified to be identical.
            guard let repeated = outer[name], repeated != inner.index[name] else { continue }
            throw JWTError(.wrongClaim, "The \(name) of the encrypted token's header is not that of its claims.")
        }
    }
}
