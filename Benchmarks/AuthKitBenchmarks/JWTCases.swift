import AuthKitCore

/// Tokens: verified from the compact text to checked claims, against libcrypto's bare check of the signature.
struct JWTCases {
    static let rawVerify = "EVP_DigestVerify, reused context"
    static let rawCode = "EVP_MAC, reused context, key preset"

    let options: BenchmarkOptions
    let now: WallTime
    let tokens: [JWSAlgorithm: SampleToken]
    /// The public keys of all of them.
    let keys: JWKSet

    init(_ options: BenchmarkOptions) throws {
        self.options = options
        now = WallTime(seconds: SystemTime().now.wall.seconds)
        var tokens: [JWSAlgorithm: SampleToken] = [:]
        let algorithms: [JWSAlgorithm] = [.rs256, .es256, .edDSA, .hs256, .ps256, .es384]
        for algorithm in algorithms { tokens[algorithm] = try SampleToken(algorithm, at: now) }
        self.tokens = tokens
        keys = JWKSet(algorithms.compactMap { tokens[$0]?.key.publicKey })
    }

    /// Runs the cases that are asked for.
    func run(into report: inout Report) async throws {
        for algorithm in [JWSAlgorithm.rs256, .es256, .edDSA, .ps256, .es384, .hs256] {
            try await verify(try token(algorithm), into: &report)
        }
        try await parse(into: &report)
        try await verifyRepeated(into: &report)
        try await verifyRemote(into: &report)
        try await verifyOnTwoThreads(into: &report)
        try await sign(into: &report)
        try await decrypt(into: &report)
        try await comparePeers(into: &report)
    }

    /// The token of an algorithm.
    func token(_ algorithm: JWSAlgorithm) throws -> SampleToken {
        guard let token = tokens[algorithm] else { throw BenchmarkError("There is no token for \(algorithm).") }
        return token
    }

    /// What its tokens must satisfy: signature, `exp`, `nbf`, `iss`, `aud` and `typ` are checked.
    func policy(_ token: SampleToken) -> JWTPolicy {
        JWTPolicy(algorithms: [token.algorithm], issuer: SampleToken.issuer, audience: SampleToken.audience)
    }

    /// Checks the signature as libcrypto does it, over and over.
    func raw(_ token: SampleToken) throws -> Stopwatch.Batch {
        let message = token.signingInput
        if token.algorithm == .hs256 {
            let (raw, signature) = (try RawCode(key: token.secret), token.signature)
            return { count in for _ in 0..<count { try raw.verify(signature, of: message) } }
        }
        let (raw, signature) = (try token.rawVerification, try token.rawSignature)
        return { count in for _ in 0..<count { try raw.verify(signature, of: message) } }
    }

    private func verify(_ token: SampleToken, into report: inout Report) async throws {
        let name = "jwt.verify.\(token.algorithm)"
        guard options.wants(name) else { return }
        let (verifier, text) = (JWTVerifier(policy: policy(token)), token.text)
        let measured = try await Stopwatch.compare(
            name,
            with: token.algorithm.isSymmetric ? Self.rawCode : Self.rawVerify,
            rounds: options.rounds,
            note: "\(text.utf8.count) B"
        ) { count in
            for _ in 0..<count { _ = try verifier.verify(text, with: keys, at: now) }
        } baseline: { [raw = try raw(token)] count in
            try await raw(count)
        }
        report.add(measured)
    }

    private func parse(into report: inout Report) async throws {
        let name = "jwt.parse.RS256"
        guard options.wants(name) else { return }
        let text = try token(.rs256).text
        let note = "header and claims, nothing verified; the baseline is another work, a measure of the machine"
        let measured = try await Stopwatch.compare(name, with: Self.rawCode, rounds: options.rounds, note: note) {
            count in
            for _ in 0..<count { _ = try UnverifiedJWT(decoding: text) }
        } baseline: { [raw = try raw(try token(.hs256))] count in
            try await raw(count)
        }
        report.add(measured)
    }

    private func verifyRepeated(into report: inout Report) async throws {
        let name = "jwt.verify.RS256.cached"
        guard options.wants(name) else { return }
        let token = try token(.rs256)
        let (verifier, text) = (JWTVerifier(policy: policy(token), cache: try VerificationCache()), token.text)
        let measured = try await Stopwatch.compare(
            name,
            with: Self.rawVerify,
            rounds: options.rounds,
            note: "one token again and again"
        ) {
            count in
            for _ in 0..<count { _ = try verifier.verify(text, with: keys, at: now) }
        } baseline: { [raw = try raw(token)] count in
            try await raw(count)
        }
        report.add(measured)
    }

    /// With the cache of verified tokens, where the way to the keys is a larger part than with cryptography.
    private func verifyRemote(into report: inout Report) async throws {
        let token = try token(.rs256)
        let remote = try await RemoteJWKSet.published(keys)
        let text = token.text
        for (name, cache) in [("remote", nil), ("remote.cached", try VerificationCache())] {
            let name = "jwt.verify.RS256.\(name)"
            guard options.wants(name) else { continue }
            let verifier = JWTVerifier(policy: policy(token), cache: cache)
            let baseline = "the same with a JWKSet"
            let measured = try await Stopwatch.compare(
                name,
                with: baseline,
                rounds: options.rounds,
                note: "RemoteJWKSet that has its keys"
            ) {
                count in
                for _ in 0..<count { _ = try await verifier.verify(text, with: remote, at: now) }
            } baseline: { count in
                for _ in 0..<count { _ = try verifier.verify(text, with: keys, at: now) }
            }
            report.add(measured)
        }
    }
}
