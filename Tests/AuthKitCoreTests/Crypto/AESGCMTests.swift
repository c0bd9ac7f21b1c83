import AuthKitCore
import Testing

@Suite struct AESGCMTests {
    // "The Galois/Counter Mode of Operation", McGrew and Viega, test case 16.
    private static let key = VectorFile.bytes(hex: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308")
    private static let nonce = VectorFile.bytes(hex: "cafebabefacedbaddecaf888")
    private static let data = VectorFile.bytes(hex: "feedfacedeadbeeffeedfacedeadbeefabaddad2")
    private static let plaintext = VectorFile.bytes(
        hex: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
            + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
    )
    private static let sealed = VectorFile.bytes(
        hex: "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
            + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f66276fc6ece0f4e1768cddf8853bb2d551b"
    )

    private func open(
        _ sealed: [UInt8] = Self.sealed,
        key: [UInt8] = Self.key,
        nonce: [UInt8] = Self.nonce,
        data: [UInt8] = Self.data
    ) throws -> [UInt8] {
        try AESGCM(.aes256).open(sealed, key: SecretBytes(copying: key), nonce: nonce, authenticating: data)
    }

    @Test func `sealing and opening agree with the published test case`() throws {
        let sealed = try AESGCM(.aes256).seal(
            Self.plaintext,
            key: SecretBytes(copying: Self.key),
            nonce: Self.nonce,
            authenticating: Self.data
        )
        #expect(sealed == Self.sealed)
        #expect(try open() == Self.plaintext)
    }

    // The same paper, test cases 4 and 10.
    @Test(arguments: [
        (
            AESKeySize.aes128,
            "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051"
                + "ba30b396a0aac973d58e0915bc94fbc3221a5db94fae95ae7121a47"
        ),
        (
            AESKeySize.aes192,
            "3980ca0b3c00e841eb06fac4872a2757859e1ceaa6efd984628593b40ca1e19c7d773d00c144c525ac619d18c84a3f471"
                + "8e2448b2fe324d9ccda27102519498e80f1478f37ba55bd6d27618c"
        ),
    ])
    func `shorter keys agree with the published test cases`(_ size: AESKeySize, _ expected: String) throws {
        let key = SecretBytes(copying: Array(Self.key.prefix(size.byteCount)))
        let sealed = try AESGCM(size).seal(Self.plaintext, key: key, nonce: Self.nonce, authenticating: Self.data)
        #expect(sealed == VectorFile.bytes(hex: expected))
        #expect(try AESGCM(size).open(sealed, key: key, nonce: Self.nonce, authenticating: Self.data) == Self.plaintext)
    }

    @Test func `a key of another size is refused`() throws {
        for (size, count) in [(AESKeySize.aes128, 32), (.aes256, 16), (.aes192, 32)] {
            let key = SecretBytes(copying: Array(Self.key.prefix(count)))
            let error = #expect(throws: CryptoError.self) {
                _ = try AESGCM(size).open(Self.sealed, key: key, nonce: Self.nonce, authenticating: Self.data)
            }
            #expect(error?.code == .authenticationFailed)
        }
    }

    @Test func `nothing at all can be sealed and opened`() throws {
        let key = SecretBytes(copying: Self.key)
        let sealed = try AESGCM(.aes256).seal([], key: key, nonce: Self.nonce, authenticating: [])
        #expect(sealed.count == AESGCM.tagCount)
        #expect(try AESGCM(.aes256).open(sealed, key: key, nonce: Self.nonce, authenticating: []) == [])
    }

    @Test func `every flipped bit is refused with one code`() {
        for index in Self.sealed.indices {
            for bit in 0..<8 {
                var changed = Self.sealed
                changed[index] ^= 1 << UInt8(bit)
                let error = #expect(throws: CryptoError.self) { try open(changed) }
                #expect(error?.code == .authenticationFailed)
            }
        }
    }

    @Test func `another key, nonce, place or length is refused with one code`() {
        var key = Self.key
        key[0] ^= 1
        var nonce = Self.nonce
        nonce[11] ^= 1
        let attempts: [() throws -> [UInt8]] = [
            { try open(key: key) }, { try open(nonce: nonce) }, { try open(data: Self.data + [0]) },
            { try open(data: []) }, { try open(Self.sealed.dropLast()) }, { try open(Self.sealed + [0]) },
            { try open([]) }, { try open(key: Self.key.dropLast()) }, { try open(nonce: Self.nonce + [0]) },
        ]
        for attempt in attempts {
            let error = #expect(throws: CryptoError.self, performing: attempt)
            #expect(error?.code == .authenticationFailed)
        }
    }

    @Test func `sealing refuses a key or nonce of another length`() {
        for (key, nonce) in [(Self.key + [0], Self.nonce), (Self.key, Self.nonce + [0]), (Self.key, [])] {
            let error = #expect(throws: CryptoError.self) {
                _ = try AESGCM(.aes256).seal([1], key: SecretBytes(copying: key), nonce: nonce, authenticating: [])
            }
            #expect(error?.code == .invalidInput)
        }
    }
}
