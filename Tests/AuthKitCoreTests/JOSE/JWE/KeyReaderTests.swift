import Testing

@testable import AuthKitCore

@Suite struct KeyReaderTests {
    private static func reader(
        of token: String,
        encryptedKey change: ([UInt8]) -> [UInt8]
    ) throws -> (KeyReader, ContentEncryption) {
        let parts = try CompactJWE(token)
        let header = try JWEHeader(parsing: parts.header)
        let (algorithm, encryption) = try header.check(Encryption.everything)
        return (try KeyReader(header, algorithm, encryption, encryptedKey: change(parts.encryptedKey)), encryption)
    }

    // RFC 7516 §11.5: what fails is not told, and what follows takes its course.
    @Test(arguments: [JWEAlgorithm.rsaOAEP, .rsaOAEP256, .a128KW, .ecdhESA256KW])
    func `a key that cannot be had is replaced by a random one of its length`(_ algorithm: JWEAlgorithm) throws {
        let pair = try #require(try Encryption.keys(for: algorithm, .a256CBCHS512).first)
        let token = try JWE.encrypt([1], to: pair, algorithm: algorithm, encryption: .a256CBCHS512)
        let key = EncryptionKey(pair)
        let breaks: [([UInt8]) -> [UInt8]] = [
            { $0.dropLast() + [$0[$0.count - 1] ^ 1] }, { [UInt8](repeating: 0, count: $0.count) }, { _ in [] },
            { $0 + [0] },
        ]
        for change in breaks {
            let (reader, encryption) = try Self.reader(of: token, encryptedKey: change)
            let one = try reader.contentKey(for: key)
            let other = try reader.contentKey(for: key)
            let (count, isSame) = (one.count, one.isEqual(to: other))
            #expect(count == encryption.keyCount)
            #expect(!isSame)
        }
        let (reader, encryption) = try Self.reader(of: token) { $0 }
        let one = try reader.contentKey(for: key)
        let other = try reader.contentKey(for: key)
        let (count, isSame) = (one.count, one.isEqual(to: other))
        #expect(count == encryption.keyCount)
        #expect(isSame)
    }

    @Test func `a key of another length in the token counts as none`() throws {
        let pair = try #require(Encryption.rsa.evp)
        let token = try JWE.encrypt([1], to: Encryption.rsa, algorithm: .rsaOAEP256, encryption: .a256GCM)
        for count in [0, 16, 31, 33, 64] {
            let secret = SecretBytes(copying: [UInt8](repeating: 5, count: count))
            let encrypted = try RSAOAEP.sha256.encrypt(secret, for: pair)
            let (reader, encryption) = try Self.reader(of: token) { _ in encrypted }
            let key = EncryptionKey(Encryption.rsa)
            let one = try reader.contentKey(for: key)
            let other = try reader.contentKey(for: key)
            let (length, isSame) = (one.count, one.isEqual(to: other))
            #expect(length == encryption.keyCount)
            #expect(!isSame)
        }
    }

    @Test func `keys that fit and are too weak are refused by name, and passed over beside a strong one`() throws {
        let modulus = [UInt8](repeating: 0xFF, count: 128)
        let weak = EncryptionKey(
            try JWK(["kty": "RSA", "n": .string(Base64URL.encode(modulus)), "e": "AQAB"])
        )
        let error = #expect(throws: JWTError.self) {
            _ = try JWE.candidates(among: [weak], keyID: nil) { _ in true }
        }
        #expect(error?.code == .weakKey)
        let both = [weak, EncryptionKey(Encryption.rsa)]
        #expect(try JWE.candidates(among: both, keyID: nil) { _ in true }.map(\.keyID) == ["rsa"])
    }
}
