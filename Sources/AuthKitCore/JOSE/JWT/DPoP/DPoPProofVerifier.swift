/// Checks DPoP proofs (RFC 9449 §4.3): the one kind of token whose key is in its own header.
///
/// Such a key proves only that the sender holds its private half. It becomes worth something by its thumbprint, which a
/// token is bound to: at a token endpoint the new token gets it, at a resource it must be the token's.
///
/// Replays are not remembered here: keep each `identifier` for as long as its proof would pass, `maxAge` and twice the
/// skew.
public struct DPoPProofVerifier: Sendable {
    /// Larger proofs are refused.
    static let byteLimit = 1 << 14

    /// The algorithms that may be used.
    public var algorithms: [JWSAlgorithm]
    /// How old a proof may be.
    public var maxAge: Duration
    /// How far clocks may differ, below six minutes.
    public var clockSkew: Duration

    /// Makes a verifier.
    public init(
        algorithms: [JWSAlgorithm] = [.es256],
        maxAge: Duration = .seconds(60),
        clockSkew: Duration = .seconds(60)
    ) {
        self.algorithms = algorithms
        self.maxAge = maxAge
        self.clockSkew = clockSkew
    }

    /// Checks the proof of a token request (RFC 9449 §5).
    ///
    /// The method is compared byte for byte, the address without query and fragment. A nil `nonce` asks for none:
    /// right only where none was given out.
    public func verify(
        _ proof: String,
        method: String,
        url: WebURL,
        nonce: String?,
        at now: WallTime
    ) throws(JWTError) -> DPoPProof {
        try verify(proof, policy(method, url, nonce, accessToken: nil), at: now)
    }

    /// Checks the proof that comes with an access token (RFC 9449 §7).
    ///
    /// Its `ath` must be of the access token, its key the one of the token's `cnf.jkt`, which is `thumbprint`:
    /// `wrong_hash`, `key_mismatch`. The rest is as for a token request.
    public func verify(
        _ proof: String,
        method: String,
        url: WebURL,
        accessToken: Secret,
        boundTo thumbprint: String,
        nonce: String?,
        at now: WallTime
    ) throws(JWTError) -> DPoPProof {
        let result = try verify(proof, policy(method, url, nonce, accessToken: accessToken), at: now)
        // RFC 9449 §4.3 (12): the token must be bound to this key.
        guard ConstantTime.equal(Array(result.thumbprint.utf8), Array(thumbprint.utf8)) else {
            throw JWTError(.keyMismatch, "The access token is bound to another key than that of the proof.")
        }
        return result
    }

    private func policy(_ method: String, _ url: WebURL, _ nonce: String?, accessToken: Secret?) -> JWTPolicy {
        .dpopProof(
            method: method,
            url: url,
            accessToken: accessToken,
            nonce: nonce,
            algorithms: algorithms,
            maxAge: maxAge,
            clockSkew: clockSkew
        )
    }

    private func verify(_ proof: String, _ policy: JWTPolicy, at now: WallTime) throws(JWTError) -> DPoPProof {
        guard proof.utf8.count <= Self.byteLimit else {
            throw JWTError(.tooLarge, "The proof is larger than \(Self.byteLimit) bytes.")
        }
        let header = try UnverifiedJWT(decoding: proof).header
        let key = try Self.key(in: header.members)
        return try DPoPProof(JWTVerifier(policy: policy).verify(proof, with: JWKSet([key]), at: now))
    }

    private static func key(in header: JSONObject) throws(JWTError) -> JWK {
        guard var members = header["jwk"]?.object else {
            throw JWTError(.malformed, "A DPoP proof must have its public key in the header's jwk.")
        }
        // RFC 9449 §4.3 (7): a private key must not be sent; RFC 7518 §6: these are the private members.
        for name in ["d", "p", "q", "dp", "dq", "qi", "oth", "k"] where members[name] != nil {
            throw JWTError(.malformed, "The proof's jwk has private parts; never send those.")
        }
        // There is one key, so a kid selects nothing.
        members["kid"] = header["kid"]
        return try JWK(members)
    }
}
