import AuthKitCore

/// What must hold of every token that is given to decryption; ends the process when it does not.
struct DecryptionJudge: Sendable {
    static let shared: DecryptionJudge = {
        do {
            return try DecryptionJudge(VectorRows.read())
        } catch {
            fatalError("The known tokens cannot be used: \(error)")
        }
    }()

    private static let policy = JWEPolicy(algorithms: JWEAlgorithm.all, encryptions: ContentEncryption.all)

    /// What the known tokens hold.
    private let known: [String: [UInt8]]
    private let keys: [PrivateJWK]
    /// What contents are encrypted with here, a key for `dir` with A128GCM, and its kid.
    private let shared: (key: String, id: String)
    private let verifier = JWTVerifier(
        policy: JWTPolicy(algorithms: JWSAlgorithm.all, issuer: .insecureAny, audience: .insecureAny)
    )

    private init(_ rows: [JSONObject]) throws {
        var (known, keys, shared): ([String: [UInt8]], [PrivateJWK], (String, String)?) = ([:], [], nil)
        for row in rows {
            guard let token = row["token"]?.string, let key = row["key"]?.object, let text = row["plaintext"]?.string
            else { throw VectorRows.Unusable() }
            known[token] = Array(text.utf8)
            keys.append(try PrivateJWK(key))
            if key["alg"] == "A128GCM", let bytes = key["k"]?.string, let id = key["kid"]?.string {
                shared = (bytes, id)
            }
        }
        guard let shared else { throw VectorRows.Unusable() }
        (self.known, self.keys, self.shared) = (known, keys, shared)
        for token in known.keys where decrypt(token).value == nil { fatalError("A known token is refused.") }
    }

    /// Judges a token that was not made here: it is decrypted only when it is one of those known.
    func judge(_ token: String) {
        let outcome = decrypt(token)
        if let value = outcome.value, known[token] != value.plaintext { fatalError("A forged token is decrypted.") }
        if outcome.value != nil, (try? JWE.unverifiedHeader(of: token)) == nil {
            fatalError("A token is decrypted that cannot be taken apart.")
        }
    }

    /// Judges a header before an encrypted key, IV and tag of zeros: never is anything decrypted.
    func judge(header: [UInt8]) {
        var (keyCount, ivCount, tagCount) = (0, 12, 16)
        if case .object(let members) = ReferenceJSON.read(header), let name = Self.text("alg", in: members),
            let encryption = Self.text("enc", in: members).flatMap({ ContentEncryption(name: $0) })
        {
            if !encryption.name.hasSuffix("GCM") { (ivCount, tagCount) = (16, encryption.keyCount / 2) }
            if name.hasSuffix("KW") { keyCount = encryption.keyCount + 8 }
            if name.hasPrefix("RSA") { keyCount = 256 }
        }
        let parts = [header] + [keyCount, ivCount, 16, tagCount].map { [UInt8](repeating: 0, count: $0) }
        let token = parts.map { Base64URL.encode($0) }.joined(separator: ".")
        if decrypt(token).value != nil { fatalError("What nobody encrypted is decrypted.") }
    }

    /// Encrypts under a header as it is, and judges what is said of the token.
    func judge(sealedHeader header: [UInt8], plaintext: [UInt8]) {
        let (protected, nonce) = (Base64URL.encode(header), [UInt8](repeating: 7, count: 12))
        guard let key = try? Base64URL.decode(shared.key),
            let sealed = try? AESGCM(.aes128)
                .seal(plaintext, key: SecretBytes(copying: key), nonce: nonce, authenticating: Array(protected.utf8))
        else { fatalError("Encryption failed.") }
        let parts = [nonce, Array(sealed.dropLast(16)), Array(sealed.suffix(16))].map { Base64URL.encode($0) }
        let token = protected + ".." + parts.joined(separator: ".")
        let outcome = decrypt(token)
        guard case .object(let members) = ReferenceJSON.read(header), isOrdinary(members) else {
            if outcome.value != nil { fatalError("A header is believed that must not be.") }
            return
        }
        guard let value = outcome.value else { fatalError("A good token is refused.") }
        guard value.plaintext == plaintext, ReferenceJSON.object(members).isSame(as: .object(value.header.members))
        else { fatalError("What is decrypted differs.") }
        // Nothing inside is signed by anybody whose key is known.
        let nested = Self.outcome {
            try verifier.verify(
                encrypted: token,
                decryptingWith: keys,
                policy: Self.policy,
                with: JWKSet([]),
                at: WallTime(seconds: 1_300_819_379)
            )
        }
        if nested.value != nil { fatalError("What is inside is believed without a signature.") }
    }

    private func decrypt(_ token: String) -> (value: DecryptedJWE?, code: JWTError.Code?) {
        Self.outcome { try JWE.decrypt(token, with: keys, policy: Self.policy) }
    }

    /// Whether a header is one that a content under our key may stand under.
    private func isOrdinary(_ header: [ReferenceJSON.Member]) -> Bool {
        guard Self.text("alg", in: header) == "dir", Self.text("enc", in: header) == "A128GCM" else { return false }
        guard !["crit", "b64", "zip"].contains(where: { Self.find($0, in: header) != nil }) else { return false }
        for name in ["typ", "cty", "kid"] where Self.find(name, in: header) != nil {
            guard let text = Self.text(name, in: header) else { return false }
            if name == "kid", text.utf8.elementsEqual(shared.id.utf8) == false { return false }
        }
        return true
    }

    private static func find(_ name: String, in members: [ReferenceJSON.Member]) -> ReferenceJSON? {
        members.first { $0.name.elementsEqual(name.unicodeScalars) }?.value
    }

    private static func text(_ name: String, in members: [ReferenceJSON.Member]) -> String? {
        guard case .string(let scalars)? = find(name, in: members) else { return nil }
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
