internal import AuthKitCore

/// Checks tokens with some keys, always in the same way.
struct TokenChecker: Sendable {
    private let keys: JWKSet
    private let verifier: JWTVerifier
    private let isSignatureOnly: Bool

    /// Makes a checker.
    init(_ check: TokenCheck, with keys: JWKSet) {
        self.keys = keys
        verifier = JWTVerifier(policy: check.policy(for: keys))
        isSignatureOnly = check.isSignatureOnly
    }

    /// Checks a token and gives its payload; an access token beside it must be the one that `at_hash` is of.
    func payload(
        of token: String,
        at now: WallTime,
        accessToken: Secret? = nil
    ) throws(JWTError) -> [UInt8] {
        if isSignatureOnly {
            let algorithms = verifier.policy.algorithms
            return try JWTVerifier.verifySignature(token, with: keys, algorithms: algorithms).payload
        }
        let verified = try verifier.verify(token, with: keys, at: now)
        if let accessToken {
            guard let hash = try verified.string("at_hash") else {
                throw JWTError(.missingClaim, "The token must have the claim at_hash.")
            }
            let (algorithm, kind) = (verified.algorithm, verified.key.key.kind)
            try TokenHash.check(hash, named: "at_hash", of: accessToken, algorithm: algorithm, key: kind)
        }
        return verified.payload
    }
}
