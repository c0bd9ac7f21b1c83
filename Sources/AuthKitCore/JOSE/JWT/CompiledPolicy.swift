/// A policy made ready: what tokens are compared with lies there as bytes.
final class CompiledPolicy: Sendable {
    private struct Claim {
        let text: String
        let name: JSONName
    }

    let policy: JWTPolicy
    let algorithms: AllowedAlgorithms
    private let issuer: [UInt8]?
    private let audience: [UInt8]?
    private let nonce: [UInt8]?
    private let required: [Claim]
    private let types: [MediaType]?
    /// The clock skew in attoseconds.
    private let skew: Int128

    init(_ policy: JWTPolicy) {
        self.policy = policy
        algorithms = AllowedAlgorithms(policy.algorithms)
        issuer = policy.issuer.name.map { Array($0.utf8) }
        audience = policy.audience.name.map { Array($0.utf8) }
        nonce = policy.nonce.map { Array($0.utf8) }
        required = policy.requiredClaims.map { Claim(text: $0, name: JSONName($0)) }
        types = policy.type.accepted?.map { MediaType($0) }
        skew = policy.clockSkew.attoseconds
    }

    /// Checks the header, unless it is known, and the claims of a token whose signature is valid.
    func check(
        _ parts: CompactJWS,
        _ fields: HeaderFields,
        _ claimsIndex: [JSONMember],
        at now: WallTime
    ) throws(JWTError) {
        let bytes = parts.bytes.span.extracting(parts.payloadRange)
        let members = claimsIndex.span
        let claims = try RegisteredClaims(members, in: bytes)
        if !parts.isKnown {
            let type = fields.type.member(of: parts.index.span)
            try checkType(type, in: parts.bytes.span.extracting(0..<parts.headerEnd))
        }
        for claim in required {
            guard let member = Self.find(claim.name, members, bytes), member.kind != .null else {
                throw Self.missing(claim.text)
            }
        }
        if let issuer {
            guard let position = claims.issuer else { throw Self.missing("iss") }
            guard members[position].isText(issuer.span, in: bytes) else { throw wrongIssuer }
        }
        if let audience {
            guard let position = claims.audience else { throw Self.missing("aud") }
            // RFC 7519 §4.1.3: refused unless we are named.
            guard
                members[position].isText(audience.span, in: bytes)
                    || members[position].isListOfTexts(with: audience.span, in: bytes) == true
            else { throw wrongAudience }
        }
        try checkTimes(claims, at: now)
        if let nonce {
            guard let actual = Self.find(JSONName("nonce"), members, bytes) else { throw Self.missing("nonce") }
            guard let actual = actual.textBytes(in: bytes) else {
                throw RegisteredClaims.wrongType("nonce", "a string")
            }
            guard ConstantTime.equal(actual, nonce) else {
                throw JWTError(.wrongNonce, "The token belongs to another request; start again.")
            }
        }
    }

    private static func find(_ name: JSONName, _ members: Span<JSONMember>, _ bytes: Span<UInt8>) -> JSONMember? {
        for position in members.indices where members[position].isNamed(name, in: bytes) { return members[position] }
        return nil
    }

    private func checkTimes(_ claims: RegisteredClaims, at now: WallTime) throws(JWTError) {
        let time = now.sinceEpoch.attoseconds
        // RFC 7519 §4.1.4: now must be before exp.
        if let expiresAt = claims.expiresAt, time - skew >= expiresAt {
            throw JWTError(.expired, "The token ended at \(Self.text(expiresAt)), it is \(now): get a new one.")
        }
        let latest = time + skew
        // RFC 7519 §4.1.5: now must be at or after nbf.
        if let notBefore = claims.notBefore, latest < notBefore {
            throw JWTError(.notYetValid, "The token begins at \(Self.text(notBefore)), it is \(now): check the clocks.")
        }
        if let issuedAt = claims.issuedAt, latest < issuedAt {
            throw JWTError(
                .issuedInFuture,
                "The token was issued at \(Self.text(issuedAt)), it is \(now): check the clocks."
            )
        }
    }

    private static func text(_ attoseconds: Int128) -> String {
        WallTime(sinceEpoch: Duration(attoseconds: attoseconds)).description
    }

    private func checkType(_ member: JSONMember?, in header: Span<UInt8>) throws(JWTError) {
        guard let types else { return }
        guard let member else {
            if policy.type.mayBeAbsent { return }
            throw JWTError(.wrongType, "The token has no typ, but must be \(acceptedTypes).")
        }
        let written = header.extracting(member.textRange)
        let isAccepted =
            member.isEscaped
            ? types.contains { $0.matches(JSONText.unescaped(written).span) }
            : types.contains { $0.matches(written) }
        guard isAccepted else { throw JWTError(.wrongType, "The token's typ must be \(acceptedTypes).") }
    }

    private var acceptedTypes: String { (policy.type.accepted ?? []).joined(separator: " or ") }

    private var wrongIssuer: JWTError {
        JWTError(.wrongIssuer, "The token does not come from \(policy.issuer.name ?? ""); check which issuer is meant.")
    }

    private var wrongAudience: JWTError {
        JWTError(.wrongAudience, "The token is not for \(policy.audience.name ?? ""); ask its issuer for one that is.")
    }

    private static func missing(_ name: String) -> JWTError {
        JWTError(.missingClaim, "The token must have the claim \(name).")
    }
}
