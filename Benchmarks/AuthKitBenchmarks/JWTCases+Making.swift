import AuthKitCore

extension JWTCases {
    /// Making tokens, against libcrypto's bare signature.
    func sign(into report: inout Report) async throws {
        for algorithm in [JWSAlgorithm.rs256, .es256, .edDSA] {
            let name = "jwt.sign.\(algorithm)"
            guard options.wants(name) else { continue }
            let token = try token(algorithm)
            let raw = try RawSigning(pem: try token.key.privatePEM(), digest: token.digestName)
            let message = token.signingInput
            let measured = try await Stopwatch.compare(
                name,
                with: "EVP_DigestSign, reused context",
                rounds: options.rounds
            ) { count in
                for _ in 0..<count {
                    _ = try JWS.sign(payload: token.claims, header: token.header, with: token.signer)
                }
            } baseline: { count in
                for _ in 0..<count { try raw.sign(message) }
            }
            report.add(measured)
        }
    }

    /// Decrypting a token whose content are the claims.
    func decrypt(into report: inout Report) async throws {
        let cases: [(GeneratedKeyKind, JWEAlgorithm, ContentEncryption)] = [
            (.rsa(), .rsaOAEP256, .a256GCM), (.p256, .ecdhES, .a128GCM), (.symmetric(), .direct, .a256GCM),
        ]
        let claims = try token(.rs256).claims
        for (kind, algorithm, encryption) in cases {
            let name = "jwe.decrypt.\(algorithm).\(encryption)"
            guard options.wants(name) else { continue }
            let key = try PrivateJWK.generate(kind)
            let policy = JWEPolicy(algorithms: [algorithm], encryptions: [encryption])
            let text = try JWE.encrypt(claims, to: key, algorithm: algorithm, encryption: encryption)
            let measured = try await Stopwatch.alone(name, rounds: options.rounds, note: "\(text.utf8.count) B") {
                count in
                for _ in 0..<count { _ = try JWE.decrypt(text, with: key, policy: policy) }
            }
            report.add(measured)
        }
    }
}
