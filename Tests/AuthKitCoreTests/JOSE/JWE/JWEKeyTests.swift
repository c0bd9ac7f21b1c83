import AuthKitCore
import Testing

@Suite struct JWEKeyTests {
    private static func token(_ key: PrivateJWK, _ algorithm: JWEAlgorithm, keyID: String? = nil) throws -> String {
        try JWE.encrypt(
            [1],
            to: key.isSymmetric ? key.publicKey : JWK(key.publicKey.required),
            algorithm: algorithm,
            encryption: .a128GCM,
            header: keyID.map { ["kid": .string($0)] } ?? [:]
        )
    }

    private static func changed(_ key: PrivateJWK, _ members: JSONObject) throws -> PrivateJWK {
        var all = try key.privateMembers()
        for name in ["kid", "use", "alg", "key_ops"] { all[name] = nil }
        for member in members.members { all[member.name] = member.value }
        return try PrivateJWK(all)
    }

    @Test func `a kid chooses the key, and one that names none is refused`() throws {
        let (one, two) = (
            try Encryption.symmetric(16, ["kid": "one"]), try PrivateJWK.generate(.symmetric(byteCount: 16))
        )
        let token = try Self.token(one, .a128KW, keyID: "one")
        #expect(Encryption.refusal(of: token, with: [two, one]) == nil)
        #expect(Encryption.refusal(of: token, with: [two]) == .keyNotFound)
        #expect(Encryption.refusal(of: token, with: []) == .keyNotFound)
        let impostor = try Self.changed(two, ["kid": "one"])
        #expect(Encryption.refusal(of: token, with: [impostor]) == .decryptionFailed)
        // Several keys of one kid are tried.
        #expect(Encryption.refusal(of: token, with: [impostor, one]) == nil)
    }

    @Test func `a single key without a kid fits any, one with a kid its own or none`() throws {
        let (bare, named) = (try Encryption.symmetric(16), try Encryption.symmetric(16, ["kid": "one"]))
        let policy = Encryption.everything
        for (keyID, codes) in [("one", [nil, nil]), ("two", [nil, .keyNotFound]), (nil, [nil, nil])]
            as [(String?, [JWTError.Code?])]
        {
            let token = try Self.token(bare, .a128KW, keyID: keyID)
            for (key, code) in zip([bare, named], codes) {
                do throws(JWTError) {
                    _ = try JWE.decrypt(token, with: key, policy: policy)
                    #expect(code == nil)
                } catch {
                    #expect(error.code == code)
                }
            }
        }
    }

    @Test func `without a kid every fitting key is tried, up to sixteen`() throws {
        let own = try Encryption.symmetric(16)
        let token = try Self.token(own, .a128KW)
        let others = try (0..<16).map { _ in try PrivateJWK.generate(.symmetric(byteCount: 16)) }
        #expect(Encryption.refusal(of: token, with: Array(others.prefix(15)) + [own]) == nil)
        #expect(Encryption.refusal(of: token, with: others + [own]) == .decryptionFailed)
        // Keys of other kinds are not counted.
        let misfits = [Encryption.rsa, Encryption.p256, try Encryption.symmetric(32)]
        #expect(Encryption.refusal(of: token, with: misfits + Array(others.prefix(15)) + [own]) == nil)
    }

    @Test(
        arguments: [
            (["use": "sig"], false), (["use": "enc"], true), (["use": "other"], false),
            (["key_ops": ["unwrapKey"]], true), (["key_ops": ["decrypt"]], true),
            (["key_ops": ["verify", "sign"]], false),
            (["key_ops": []], false), (["alg": "RSA-OAEP-256"], true), (["alg": "RSA-OAEP"], false),
            (["alg": "RS256"], false),
        ] as [(JSONObject, Bool)]
    )
    func `use, key_ops and alg of an RSA key limit it`(_ members: JSONObject, _ fits: Bool) throws {
        let key = try Self.changed(Encryption.rsa, members)
        let token = try Self.token(Encryption.rsa, .rsaOAEP256)
        #expect(Encryption.refusal(of: token, with: [key]) == (fits ? nil : .keyMismatch))
    }

    @Test(
        arguments: [
            (["key_ops": ["deriveKey"]], true), (["key_ops": ["deriveBits"]], true), (["key_ops": ["decrypt"]], false),
            (["alg": "ECDH-ES+A128KW"], true), (["alg": "ECDH-ES"], false), (["use": "sig"], false),
        ] as [(JSONObject, Bool)]
    )
    func `use, key_ops and alg of a key for agreement limit it`(_ members: JSONObject, _ fits: Bool) throws {
        for own in [Encryption.p256, Encryption.x25519] {
            let key = try Self.changed(own, members)
            let token = try Self.token(own, .ecdhESA128KW)
            #expect(Encryption.refusal(of: token, with: [key]) == (fits ? nil : .keyMismatch))
            let recipient = try JWK(key.publicKey.members)
            let encrypting = { try JWE.encrypt([], to: recipient, algorithm: .ecdhESA128KW, encryption: .a128GCM) }
            if fits {
                _ = try encrypting()
            } else {
                #expect(#expect(throws: JWTError.self, performing: encrypting)?.code == .keyMismatch)
            }
        }
    }

    @Test(
        arguments: [
            (.a128KW, ["key_ops": ["unwrapKey"]], false, true), (.a128KW, ["key_ops": ["wrapKey"]], true, false),
            (.a128KW, ["key_ops": ["encrypt", "decrypt"]], false, false),
            (.direct, ["key_ops": ["decrypt"]], false, true),
            (.direct, ["key_ops": ["encrypt"]], true, false), (.direct, ["alg": "A128GCM"], true, true),
            (.direct, ["alg": "dir"], true, true), (.direct, ["alg": "A128KW"], false, false),
            (.a128KW, ["alg": "A128KW"], true, true), (.a128KW, ["alg": "A128GCM"], false, false),
            (.a128KW, ["alg": "HS256"], false, false),
        ] as [(JWEAlgorithm, JSONObject, Bool, Bool)]
    )
    func `key_ops and alg of a symmetric key limit it`(
        _ algorithm: JWEAlgorithm,
        _ members: JSONObject,
        _ encrypts: Bool,
        _ decrypts: Bool
    ) throws {
        let key = try Encryption.symmetric(16, members)
        let token = try Self.token(Encryption.symmetric(16), algorithm)
        #expect(Encryption.refusal(of: token, with: [key]) == (decrypts ? nil : .keyMismatch))
        do throws(JWTError) {
            _ = try JWE.encrypt([], to: key, algorithm: algorithm, encryption: .a128GCM)
            #expect(encrypts)
        } catch {
            #expect(error.code == .keyMismatch)
            #expect(!encrypts)
        }
    }

    @Test func `keys of another kind or length are not for it`() throws {
        let signing = [
            try PrivateJWK.generate(.secp256k1), try PrivateJWK.generate(.ed25519), try PrivateJWK.generate(.ed448),
        ]
        let all = signing + [Encryption.rsa, Encryption.p256, try Encryption.symmetric(17)]
        for algorithm in JWEAlgorithm.all {
            for key in all {
                let isRight =
                    algorithm.name.hasPrefix("RSA")
                    ? key.keyID == "rsa" : algorithm.name.hasPrefix("ECDH") && key.keyID == "p256"
                do throws(JWTError) {
                    _ = try JWE.encrypt([], to: key.publicKey, algorithm: algorithm, encryption: .a256GCM)
                    #expect(isRight)
                } catch {
                    #expect(error.code == .keyMismatch)
                    #expect(!isRight)
                }
            }
        }
    }

    @Test func `an RSA key below 2048 bits is too weak`() throws {
        // RFC 7515 has no short key; this modulus is odd and 1024 bits long, which is all that is looked at.
        let modulus = [UInt8](repeating: 0xFF, count: 128)
        let key = try JWK(["kty": "RSA", "n": .string(Base64URL.encode(modulus)), "e": "AQAB"])
        let error = #expect(throws: JWTError.self) {
            try JWE.encrypt([], to: key, algorithm: .rsaOAEP, encryption: .a128GCM)
        }
        #expect(error?.code == .weakKey)
    }
}
