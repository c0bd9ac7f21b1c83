import AuthKitCore
import Testing

@Suite struct JWERoundTripTests {
    @Test(arguments: JWEAlgorithm.all, ContentEncryption.all)
    func `what is encrypted for a key is decrypted with it`(
        _ algorithm: JWEAlgorithm,
        _ encryption: ContentEncryption
    ) throws {
        for key in try Encryption.keys(for: algorithm, encryption) {
            for plaintext in [[], Array("x".utf8), [UInt8](repeating: 7, count: 4096)] {
                let recipient = key.isSymmetric ? key.publicKey : try JWK(key.publicKey.members)
                let token = try JWE.encrypt(plaintext, to: recipient, algorithm: algorithm, encryption: encryption)
                let policy = JWEPolicy(algorithms: [algorithm], encryptions: [encryption])
                let result = try JWE.decrypt(token, with: [key], policy: policy)
                #expect(result.plaintext == plaintext)
                #expect(result.algorithm == algorithm)
                #expect(result.encryption == encryption)
                #expect(result.header.keyID == key.keyID)
            }
        }
    }

    @Test(arguments: JWEAlgorithm.all)
    func `no two tokens of one content share a part`(_ algorithm: JWEAlgorithm) throws {
        let key = try #require(try Encryption.keys(for: algorithm, .a256GCM).first)
        let tokens = try (0..<2).map { _ in
            try JWE.encrypt([1, 2, 3], to: key, algorithm: algorithm, encryption: .a256GCM)
                .split(separator: ".", omittingEmptySubsequences: false)
        }
        let isEmpty = tokens[0][1].isEmpty
        for part in 1..<5 where part > 1 || !isEmpty { #expect(tokens[0][part] != tokens[1][part]) }
        // A key agreement has a key of its own in every header.
        if algorithm.name.hasPrefix("ECDH") { #expect(tokens[0][0] != tokens[1][0]) }
    }

    @Test(arguments: JWEAlgorithm.all)
    func `another key of the same kind fails as a changed token does`(_ algorithm: JWEAlgorithm) throws {
        let key = try #require(try Encryption.keys(for: algorithm, .a128CBCHS256).first)
        let token = try JWE.encrypt([1], to: key, algorithm: algorithm, encryption: .a128CBCHS256)
        let other: PrivateJWK
        if let octets = key.publicKey.isSymmetric ? key.publicKey.bits / 8 : nil {
            other = try PrivateJWK.generate(.symmetric(byteCount: octets))
        } else {
            let kind: GeneratedKeyKind = algorithm.name.hasPrefix("RSA") ? .rsa() : .p256
            other = try PrivateJWK.generate(kind, keyID: key.keyID)
        }
        let error = try #require(Encryption.error(of: token, with: [other]))
        #expect(error.code == .decryptionFailed)
        var parts = token.split(separator: ".", omittingEmptySubsequences: false)
        parts[4] = Substring(Base64URL.encode([UInt8](repeating: 0, count: 16)))
        let changed = try #require(Encryption.error(of: parts.joined(separator: "."), with: [key]))
        #expect(changed.code == .decryptionFailed)
        #expect(changed.detail == error.detail)
    }

    @Test func `the parties of a key agreement enter its key`() throws {
        let token = try JWE.encrypt(
            [1],
            to: Encryption.p256.publicKey,
            algorithm: .ecdhES,
            encryption: .a128GCM,
            header: ["apu": "QWxpY2U", "apv": "Qm9i"]
        )
        #expect(try JWE.decrypt(token, with: [Encryption.p256], policy: Encryption.everything).plaintext == [1])
        for header in [["apu": "QWxpY2U="], ["apv": 1], ["apu": "QQ QQ"], ["apv": "QR"]] as [JSONObject] {
            let error = #expect(throws: JWTError.self) {
                try JWE.encrypt(
                    [1],
                    to: Encryption.p256.publicKey,
                    algorithm: .ecdhES,
                    encryption: .a128GCM,
                    header: header
                )
            }
            #expect(error?.code == .malformed)
        }
        let long: JSONObject = ["apu": .string(Base64URL.encode([UInt8](repeating: 1, count: 1025)))]
        let error = #expect(throws: JWTError.self) {
            try JWE.encrypt(
                [1],
                to: Encryption.x25519.publicKey,
                algorithm: .ecdhESA128KW,
                encryption: .a128GCM,
                header: long
            )
        }
        #expect(error?.code == .malformed)
    }

    @Test(arguments: ["alg", "enc", "epk", "zip", "crit", "b64", "iv", "tag", "p2s", "p2c"])
    func `a header's own members are not the caller's`(_ name: String) throws {
        let error = #expect(throws: JWTError.self) {
            try JWE.encrypt(
                [],
                to: try Encryption.symmetric(16),
                algorithm: .direct,
                encryption: .a128GCM,
                header: [name: "x"]
            )
        }
        #expect(error?.code == .malformed)
    }

    @Test func `a content that makes too large a token is refused`() throws {
        for count in [1 << 20, 800_000] {
            let error = #expect(throws: JWTError.self) {
                try JWE.encrypt(
                    [UInt8](repeating: 0, count: count),
                    to: try Encryption.symmetric(16),
                    algorithm: .direct,
                    encryption: .a128GCM
                )
            }
            #expect(error?.code == .tooLarge)
        }
        let token = String(repeating: "A", count: 1 << 20) + "....A"
        #expect(Encryption.refusal(of: token, with: []) == .tooLarge)
    }
}
