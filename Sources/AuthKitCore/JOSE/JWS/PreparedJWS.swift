/// A token of good form whose algorithm is allowed: what is left is its signature, and then its claims.
struct PreparedJWS {
    let parts: CompactJWS
    let fields: HeaderFields
    let algorithm: JWSAlgorithm

    /// Takes a token apart and checks its header, unless it is among those that are known.
    @inline(__always)
    init(_ text: Span<UInt8>, _ allowed: AllowedAlgorithms, known headers: KnownHeaders? = nil) throws(JWTError) {
        if let known = headers?.find(text) {
            fields = known.fields
            algorithm = known.algorithm
            parts = try CompactJWS(text, header: consume known)
        } else {
            parts = try CompactJWS(text, header: nil)
            (fields, algorithm) = try Self.check(parts, allowed)
        }
    }

    @inline(never)
    private static func check(
        _ parts: CompactJWS,
        _ allowed: AllowedAlgorithms
    ) throws(JWTError) -> (HeaderFields, JWSAlgorithm) {
        let members = parts.index.span
        let header = parts.bytes.span.extracting(0..<parts.headerEnd)
        let fields = try HeaderFields(members)
        let algorithm = try allowed.algorithm(fields.algorithm.member(of: members), in: header)
        try fields.refuseCriticalExtensions(members, in: header)
        return (fields, algorithm)
    }

    /// The `kid` as text.
    var keyID: String? { JWSHeader(checked: parts.headerMembers).keyID }

    /// Finds the key under which the signature is valid; `key_not_found`, `key_mismatch`, `weak_key`, `bad_signature`.
    func signer(_ text: Span<UInt8>, among keys: JWKSet, cache: VerificationCache?) throws(JWTError) -> JWK {
        let candidates = try candidates(among: keys)
        let hash = cache?.hash(of: text)
        if let cache, let hash, let known = cache.signer(of: hash, among: keys, candidates) { return keys.keys[known] }
        do throws(CryptoError) {
            var (position, rest) = (candidates.first, candidates.others[...])
            while true {
                let candidate = keys.keys[position]
                let isSigner = try candidate.key.verify(
                    signature: parts.bytes.span.extracting(parts.signatureRange),
                    message: text.extracting(0..<parts.signingInputCount),
                    algorithm: algorithm
                )
                if isSigner {
                    if let cache, let hash { cache.remember(hash, candidate.key) }
                    return candidate
                }
                guard let next = rest.popFirst() else { break }
                position = next
            }
        } catch {
            throw JWTError(.cannotVerify, "The token's signature could not be checked: \(error.detail)", cause: error)
        }
        throw JWTError(
            .badSignature,
            "The token's signature is not valid under the keys; check that they are its issuer's."
        )
    }

    private func candidates(among keys: JWKSet) throws(JWTError) -> JWKSet.Candidates {
        if let known = parts.known { return try known.candidates(among: keys) }
        guard let keyID = fields.keyID.member(of: parts.index.span) else {
            return try keys.candidates(for: algorithm, keyID: nil)
        }
        let written = parts.bytes.span.extracting(0..<parts.headerEnd).extracting(keyID.textRange)
        guard keyID.isEscaped else { return try keys.candidates(for: algorithm, keyID: written) }
        let text = JSONText.unescaped(written)
        return try keys.candidates(for: algorithm, keyID: text.span)
    }
}
