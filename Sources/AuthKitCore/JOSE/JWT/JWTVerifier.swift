/// Checks tokens against a policy: form, algorithm, key, signature, type and claims, in this order.
///
/// Make one and keep it: the policy is made ready for comparison once.
public struct JWTVerifier: Sendable {
    private let compiled: CompiledPolicy
    private let cache: VerificationCache?

    /// Makes a verifier, with a cache where tokens come again and again.
    public init(policy: JWTPolicy, cache: VerificationCache? = nil) {
        compiled = CompiledPolicy(policy)
        self.cache = cache
    }

    /// What tokens must satisfy.
    public var policy: JWTPolicy { compiled.policy }

    /// Checks a token with the keys of a set, at a time on the wall clock.
    public func verify(_ token: String, with keys: JWKSet, at now: WallTime) throws(JWTError) -> VerifiedJWT {
        var prepared = try PreparedJWS(token, compiled)
        return try verify(&prepared, token, with: keys, at: now)
    }

    /// Checks a token with one key, which need not have a kid.
    public func verify(_ token: String, with key: JWK, at now: WallTime) throws(JWTError) -> VerifiedJWT {
        try verify(token, with: JWKSet(single: key), at: now)
    }

    /// Checks a token with the keys that an issuer publishes.
    ///
    /// An unknown key or a bad signature makes the set be fetched once more, within its bounds, before the token is
    /// refused. Throws `JWTError`, or what the transport threw when there are no keys at all.
    public func verify(_ token: String, with remote: RemoteJWKSet, at now: WallTime) async throws -> VerifiedJWT {
        // Tokens that no key could save never cause a request.
        var prepared = try PreparedJWS(token, compiled)
        let first: RemoteJWKSet.Snapshot
        if let fresh = remote.fresh { first = fresh } else { first = try await remote.snapshot() }
        do {
            return try verify(&prepared, token, with: first.keys, at: now)
        } catch {
            guard let doubt = RemoteJWKSet.Doubt(error, keyID: prepared.keyID),
                let second = try await remote.snapshot(newerThan: first, because: doubt)
            else { throw error }
            return try verify(&prepared, token, with: second.keys, at: now)
        }
    }

    /// Checks the signature alone: no claim is looked at, and the payload need not be JSON.
    ///
    /// An empty list of algorithms allows nothing.
    public static func verifySignature(
        _ token: String,
        with keys: JWKSet,
        algorithms: [JWSAlgorithm]
    ) throws(JWTError) -> VerifiedJWS {
        // Only the list of algorithms is used: no claim is read here, and the result's type says so.
        let policy = JWTPolicy(algorithms: algorithms, issuer: .insecureAny, audience: .insecureAny)
        let prepared = try PreparedJWS(token, CompiledPolicy(policy))
        let signer = try prepared.signer(token, among: keys, cache: nil)
        return VerifiedJWS(
            header: JWSHeader(checked: prepared.parts.headerMembers),
            algorithm: prepared.algorithm,
            key: signer,
            parts: prepared.parts
        )
    }

    private func verify(
        _ prepared: inout PreparedJWS,
        _ token: String,
        with keys: JWKSet,
        at now: WallTime
    ) throws(JWTError) -> VerifiedJWT {
        let signer = try prepared.signer(token, among: keys, cache: cache)
        try prepared.parts.scanClaims()
        try compiled.check(prepared.parts, prepared.fields, at: now)
        let header = JWSHeader(checked: prepared.parts.headerMembers)
        let claims = JWTClaims(checked: prepared.parts.claimsMembers)
        try policy.checkRules(header, claims, signer.key.kind, at: now)
        return VerifiedJWT(
            header: header,
            algorithm: prepared.algorithm,
            key: signer,
            parts: prepared.parts,
            claims: claims
        )
    }
}
