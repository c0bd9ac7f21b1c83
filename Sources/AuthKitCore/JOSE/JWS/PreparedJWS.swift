/// A token of good form whose algorithm is allowed: what is left is its signature, and then its claims.
struct PreparedJWS {
    var parts: CompactJWS
    let fields: HeaderFields
    let algorithm: JWSAlgorithm

    /// Takes a token apart and checks its header.
    init(_ token: String, _ policy: CompiledPolicy) throws(JWTError) {
        let parts = try CompactJWS(token)
        let fields = try HeaderFields(parts.index.span)
        let header = parts.bytes.span.extracting(0..<parts.headerEnd)
        algorithm = try policy.algorithm(fields.algorithm, in: header)
        try fields.refuseCriticalExtensions(in: header)
        self.parts = parts
        self.fields = fields
    }

    /// The `kid` as text.
    var keyID: String? { fields.keyID.flatMap(parts.headerMembers.text) }

    /// Finds the key under which the signature is valid; `key_not_found`, `key_mismatch`, `weak_key`, `bad_signature`.
    func signer(_ token: String, among keys: JWKSet, cache: VerificationCache?) throws(JWTError) -> JWK {
        let text = token.utf8Span.span
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
        throw JWTError(.badSignature, "The token's signature is not valid under the issuer's keys.")
    }

    private func candidates(among keys: JWKSet) throws(JWTError) -> JWKSet.Candidates {
        guard let keyID = fields.keyID else { return try keys.candidates(for: algorithm, keyID: nil) }
        let written = parts.bytes.span.extracting(0..<parts.headerEnd).extracting(keyID.textRange)
        guard keyID.isEscaped else { return try keys.candidates(for: algorithm, keyID: written) }
        let text = Array(JSONText.string(written, isEscaped: true).utf8)
        return try keys.candidates(for: algorithm, keyID: text.span)
    }
}
