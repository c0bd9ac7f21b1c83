/// Checks tokens against a policy: form, algorithm, key, signature, type and claims, in this order.
///
/// Make one and keep it: the policy is made ready for comparison once.
public struct JWTVerifier: Sendable {
    private let compiled: CompiledPolicy
    private let headers = KnownHeaders()
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
        let text = token.utf8Span.span
        let prepared = try PreparedJWS(text, compiled.algorithms, known: headers)
        let signer = try prepared.signer(text, among: keys, cache: cache)
        return try accept(consume prepared, text, signedBy: signer, at: now)
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
        let first: RemoteJWKSet.Snapshot
        if let fresh = remote.fresh {
            first = fresh
        } else {
            // Tokens that no key could save never cause a request.
            _ = try PreparedJWS(token.utf8Span.span, compiled.algorithms, known: headers)
            first = try await remote.snapshot()
        }
        let refusal: JWTError
        do throws(JWTError) {
            return try verify(token, with: first.keys, at: now)
        } catch {
            refusal = error
        }
        guard let doubt = try doubt(refusal, about: token, first.keys),
            let second = try await remote.snapshot(newerThan: first, because: doubt)
        else { throw refusal }
        return try verify(token, with: second.keys, at: now)
    }

    /// Why newer keys might save a refused token; nil where they could not.
    ///
    /// It is the signature that has to be missing its key: a rule of the policy may refuse with the same code.
    private func doubt(
        _ refusal: JWTError,
        about token: String,
        _ keys: JWKSet
    ) throws(JWTError) -> RemoteJWKSet.Doubt? {
        guard RemoteJWKSet.Doubt.isRaised(by: refusal) else { return nil }
        let text = token.utf8Span.span
        let prepared = try PreparedJWS(text, compiled.algorithms, known: headers)
        do {
            _ = try prepared.signer(text, among: keys, cache: cache)
            return nil
        } catch {
            return RemoteJWKSet.Doubt(error, keyID: prepared.keyID)
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
        let text = token.utf8Span.span
        let prepared = try PreparedJWS(text, AllowedAlgorithms(algorithms))
        let signer = try prepared.signer(text, among: keys, cache: nil)
        return VerifiedJWS(prepared.parts, algorithm: prepared.algorithm, key: signer)
    }

    /// Checks the claims of a token whose signature is valid.
    @inline(__always)
    private func accept(
        _ prepared: consuming PreparedJWS,
        _ text: Span<UInt8>,
        signedBy signer: JWK,
        at now: WallTime
    ) throws(JWTError) -> VerifiedJWT {
        let claims = try prepared.parts.scanClaims()
        try compiled.check(prepared.parts, prepared.fields, claims, at: now)
        if !compiled.policy.rules.isEmpty { try checkRules(prepared.parts, claims, signer.key.kind, at: now) }
        if !prepared.parts.isKnown { remember(prepared, text) }
        return VerifiedJWT(consume prepared, claims: claims, key: signer)
    }

    @inline(never)
    private func checkRules(
        _ parts: CompactJWS,
        _ claims: [JSONMember],
        _ key: KeyKind,
        at now: WallTime
    ) throws(JWTError) {
        let (header, claims) = (parts.headerMembers, parts.claimsMembers(claims))
        try compiled.policy.checkRules(JWSHeader(checked: header), JWTClaims(checked: claims), key, at: now)
    }

    @inline(never)
    private func remember(_ prepared: PreparedJWS, _ text: Span<UInt8>) {
        let count = prepared.parts.encodedHeaderCount
        guard count <= KnownHeaders.byteLimit else { return }
        headers.remember(
            KnownHeader(
                encoded: text.extracting(0..<count).array(),
                members: prepared.parts.headerMembers.copied,
                fields: prepared.fields,
                algorithm: prepared.algorithm
            )
        )
    }
}
