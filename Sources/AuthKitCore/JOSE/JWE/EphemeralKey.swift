/// The public key that a sender made for one token, the header's `epk` (RFC 7518 §4.6.1.1).
struct EphemeralKey {
    let kind: KeyKind
    let evp: EVPKey

    /// Reads the key; `malformed` unless it is a public one, on a curve for agreement and a point of it.
    init(_ value: JSONValue?) throws(JWTError) {
        guard let members = value?.object else {
            throw JWTError(.malformed, "The token's header must have the sender's key as an object in epk.")
        }
        // RFC 7518 §4.6.1.1: it must have public members only.
        guard !members.names.contains("d"), !members.names.contains("k") else {
            throw JWTError(.malformed, "The token's epk must have no private members.")
        }
        let key = try JWK(members).key
        guard key.kind.isForAgreement, let evp = key.evp else {
            throw JWTError(.malformed, "The token's epk must be on P-256, P-384, P-521 or X25519.")
        }
        kind = key.kind
        self.evp = evp
    }
}

extension KeyKind {
    /// Whether keys of this kind agree on secrets in JOSE (RFC 7518 §4.6, RFC 8037 §3.2).
    var isForAgreement: Bool {
        switch self {
        case .ec(.p256), .ec(.p384), .ec(.p521), .x25519: true
        default: false
        }
    }
}
