/// What proofs of possession need beside the credential: the nonces that servers gave out, and the key, read once.
final class ProofCache: Sendable {
    private static let originLimit = 64
    private static let nonceLimit = 512

    private struct State: Sendable {
        /// The newest nonce of each origin, the one used last at the end.
        var nonces: [(origin: String, nonce: String)] = []
        var signer: (key: Secret, signer: DPoPSigner)?
    }

    private let state = Guarded(State())

    /// The nonce that an answer brings; nil where there is none, or one that breaks the grammar.
    static func nonce(in fields: [HTTPField]) -> String? {
        let values = fields.all(named: "dpop-nonce")
        // RFC 9449 §8.1: 1*NQCHAR, and the field once.
        guard values.count == 1, let nonce = values.first, !nonce.isEmpty, nonce.utf8.count <= nonceLimit,
            nonce.utf8.allSatisfy({ $0 == 0x21 || (0x23...0x5B).contains($0) || (0x5D...0x7E).contains($0) })
        else { return nil }
        return nonce
    }

    /// The newest nonce of an origin.
    func nonce(of origin: String) -> String? {
        state.withLock { state in
            guard let index = state.nonces.firstIndex(where: { $0.origin == origin }) else { return nil }
            state.nonces.append(state.nonces.remove(at: index))
            return state.nonces.last?.nonce
        }
    }

    /// Keeps a nonce; of too many origins the one that was not used for longest goes.
    func keep(_ nonce: String, of origin: String) {
        state.withLock { state in
            state.nonces.removeAll { $0.origin == origin }
            state.nonces.append((origin, nonce))
            if state.nonces.count > Self.originLimit { state.nonces.removeFirst() }
        }
    }

    /// The signer for a key, made once while the key stays the same.
    func signer(for key: Secret) throws(JWTError) -> DPoPSigner {
        if let known = state.withLock({ $0.signer }), known.key == key { return known.signer }
        let signer = try DPoPSigner(key)
        state.withLock { $0.signer = (key, signer) }
        return signer
    }
}
