/// Checks tokens against a policy: form, algorithm, key, signature, type and claims, in this order.
public struct JWTVerifier: Sendable {
    /// What tokens must satisfy.
    public let policy: JWTPolicy

    /// Makes a verifier.
    public init(policy: JWTPolicy) {
        self.policy = policy
    }

    /// Checks a token with the keys of a set, at a time on the wall clock.
    public func verify(_ token: String, with keys: JWKSet, at now: WallTime) throws(JWTError) -> VerifiedJWT {
        let prepared = try prepare(token)
        return try verify(prepared, with: keys, at: now)
    }

    /// Checks a token with the keys that an issuer publishes.
    ///
    /// An unknown key or a bad signature makes the set be fetched once more, within its bounds, before the token is
    /// refused. Throws `JWTError`, or what the transport threw when there are no keys at all.
    public func verify(_ token: String, with remote: RemoteJWKSet, at now: WallTime) async throws -> VerifiedJWT {
        // Tokens that no key could save never cause a request.
        let prepared = try prepare(token)
        let first = try await remote.snapshot()
        do {
            return try verify(prepared, with: first.keys, at: now)
        } catch {
            guard let doubt = RemoteJWKSet.Doubt(error, keyID: prepared.parts.header.keyID),
                let second = try await remote.snapshot(newerThan: first, because: doubt)
            else { throw error }
            return try verify(prepared, with: second.keys, at: now)
        }
    }
}

extension JWTVerifier {
    private struct Prepared {
        let parts: CompactJWS
        let algorithm: JWSAlgorithm
    }

    private func prepare(_ token: String) throws(JWTError) -> Prepared {
        let parts = try CompactJWS(token)
        let algorithm = try policy.algorithm(of: parts.header)
        try parts.header.refuseCriticalExtensions()
        return Prepared(parts: parts, algorithm: algorithm)
    }

    private func verify(_ token: Prepared, with keys: JWKSet, at now: WallTime) throws(JWTError) -> VerifiedJWT {
        let parts = token.parts
        let candidates = try keys.candidates(for: token.algorithm, keyID: parts.header.keyID)
        guard let signer = try Self.signer(of: token, among: candidates) else {
            throw JWTError(.badSignature, "The token's signature is not valid under the issuer's keys.")
        }
        let claims = try JWTClaims(payload: parts.payload)
        try policy.check(parts.header, claims, at: now)
        return VerifiedJWT(
            header: parts.header,
            algorithm: token.algorithm,
            key: signer,
            payload: parts.payload,
            claims: claims
        )
    }
    private static func signer(of token: Prepared, among candidates: [JWK]) throws(JWTError) -> JWK? {
        do throws(CryptoError) {
            for candidate in candidates {
                let isSigner = try candidate.key.verify(
                    signature: token.parts.signature,
                    message: token.parts.signingInput,
                    algorithm: token.algorithm
                )
                if isSigner { return candidate }
            }
            return nil
        } catch {
            throw JWTError(.cannotVerify, "The token's signature could not be checked: \(error.detail)", cause: error)
        }
    }
}
