import AuthKitCore

/// What must hold of every token that is given to the verifier; ends the process when it does not.
struct TokenJudge: Sendable {
    static let shared: TokenJudge = {
        do {
            return try TokenJudge(KnownTokens.read())
        } catch {
            fatalError("The known tokens cannot be used: \(error)")
        }
    }()

    /// Just before the end of the tokens in RFC 7515.
    private static let now = WallTime(seconds: 1_300_819_379)
    private static let skew: Int64 = 60

    private let known: Set<String>
    private let keys: JWKSet
    private let signer: SigningKey
    private let verifier: JWTVerifier
    private let cachingVerifier: JWTVerifier

    private init(_ tokens: KnownTokens) throws {
        known = Set(tokens.tokens)
        keys = tokens.keys
        signer = tokens.signer
        let policy = JWTPolicy(
            algorithms: JWSAlgorithm.all,
            issuer: .exactly("joe"),
            audience: .insecureAny,
            clockSkew: .seconds(Self.skew)
        )
        verifier = JWTVerifier(policy: policy)
        cachingVerifier = JWTVerifier(policy: policy, cache: try VerificationCache(byteCount: 1 << 14))
        for token in known
        where Self.outcome({ try JWTVerifier.verifySignature(token, with: keys, algorithms: JWSAlgorithm.all) }).code
            != nil
        {
            fatalError("A known token is refused.")
        }
    }

    /// Judges a token whose signature was not made here: it is believed only when it is one of those known.
    func judge(_ token: String) {
        let signature = Self.outcome {
            try JWTVerifier.verifySignature(token, with: keys, algorithms: JWSAlgorithm.all)
        }
        if signature.value != nil, !known.contains(token) { fatalError("A forged signature is believed.") }
        let verified = verify(token)
        if verified.value != nil, signature.value == nil { fatalError("Claims are believed without a signature.") }
        judgeDecoding(of: token, isBelieved: signature.value != nil)
    }

    /// Signs a header and payload as they are and judges what the verifier says of them.
    func judge(signedHeader header: [UInt8], payload: [UInt8]) {
        let input = Base64URL.encode(header) + "." + Base64URL.encode(payload)
        guard let signature = try? signer.sign(Array(input.utf8)) else { fatalError("Signing failed.") }
        let token = input + "." + Base64URL.encode(signature)
        let verified = verify(token)
        judgeDecoding(of: token, isBelieved: verified.value != nil)
        guard case .object(let headerMembers) = ReferenceJSON.read(header), Self.isOrdinary(headerMembers) else {
            if verified.value != nil { fatalError("A header is believed that must not be.") }
            return
        }
        // Nothing is wrong with the header and the signature.
        switch verified.code {
        case .some(.badSignature), .some(.cannotVerify), .some(.keyNotFound), .some(.malformed):
            fatalError("A good signature is refused.")
        default: break
        }
        guard case .object(let claims) = ReferenceJSON.read(payload) else {
            if verified.code != .malformedClaims { fatalError("A payload that is no object is not refused as such.") }
            return
        }
        guard let value = verified.value else { return }
        guard ReferenceJSON.object(claims).isSame(as: .object(value.claims)) else { fatalError("The claims differ.") }
        if !Self.areAcceptable(claims) { fatalError("Claims are believed that must not be.") }
    }

    /// Verifies with and without a cache, the cached one twice: the outcome must be the same.
    private func verify(_ token: String) -> (value: VerifiedJWT?, code: JWTError.Code?) {
        let outcome = Self.outcome { try verifier.verify(token, with: keys, at: Self.now) }
        for _ in 0..<2 {
            let cached = Self.outcome { try cachingVerifier.verify(token, with: keys, at: Self.now) }
            if cached.code != outcome.code || cached.value?.claims != outcome.value?.claims {
                fatalError("The cache changes the outcome.")
            }
        }
        return outcome
    }

    /// Takes a token apart unverified: whatever is believed can be taken apart, and its claims are the reference's.
    private func judgeDecoding(of token: String, isBelieved: Bool) {
        guard let decoded = try? UnverifiedJWT(decoding: token) else {
            if isBelieved { fatalError("A token that is believed cannot be taken apart.") }
            return
        }
        guard case .object(let claims) = ReferenceJSON.read(decoded.payload) else {
            if decoded.claims != nil { fatalError("Claims are read that the reference refuses.") }
            return
        }
        guard let own = decoded.claims, ReferenceJSON.object(claims).isSame(as: .object(own)) else {
            fatalError("The claims that are read differ.")
        }
    }

    /// Whether a header is one that our signatures may stand under: nothing critical, `kid` and `typ` of our key.
    private static func isOrdinary(_ header: [ReferenceJSON.Member]) -> Bool {
        guard text("alg", in: header) == "HS256" else { return false }
        guard !["crit", "b64", "kid"].contains(where: { find($0, in: header) != nil }) else { return false }
        if find("cty", in: header) != nil, text("cty", in: header) == nil { return false }
        guard find("typ", in: header) != nil else { return true }
        return ["jwt", "application/jwt"].contains(text("typ", in: header)?.lowercased())
    }

    /// Whether claims may be believed: from the right issuer, and now within their time (RFC 7519 §4.1).
    private static func areAcceptable(_ claims: [ReferenceJSON.Member]) -> Bool {
        guard text("iss", in: claims) == "joe" else { return false }
        for (name, bound) in [("exp", -skew), ("nbf", skew), ("iat", skew)] {
            guard let member = find(name, in: claims) else { continue }
            guard case .number(let literal) = member, let seconds = ReferenceNumber(literal)?.seconds, seconds >= .zero
            else { return false }
            let limit = Duration.seconds(now.seconds + bound)
            guard name == "exp" ? limit < seconds : seconds <= limit else { return false }
        }
        return true
    }

    private static func find(_ name: String, in members: [ReferenceJSON.Member]) -> ReferenceJSON? {
        members.first { $0.name.elementsEqual(name.unicodeScalars) }?.value
    }

    private static func text(_ name: String, in members: [ReferenceJSON.Member]) -> String? {
        guard case .string(let scalars) = find(name, in: members) else { return nil }
        return String(String.UnicodeScalarView(scalars))
    }

    private static func outcome<Value>(_ body: () throws -> Value) -> (value: Value?, code: JWTError.Code?) {
        do {
            return (try body(), nil)
        } catch let error as JWTError {
            return (nil, error.code)
        } catch {
            fatalError("The error is of another kind: \(error)")
        }
    }
}
