import AuthKitCore
import Testing

@Suite struct DigestTests {
    @Test(arguments: [
        // FIPS 180-4 examples.
        (MessageDigest.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (MessageDigest.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (
            MessageDigest.sha384, "abc",
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
        ),
        (
            MessageDigest.sha512, "abc",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
    ])
    func `digests agree with the standard`(_ digest: MessageDigest, _ text: String, _ expected: String) {
        #expect(Hexadecimal.encode(digest.digest(Array(text.utf8))) == expected)
    }

    // FIPS 202, the example of no bits; the digest of abc as OpenSSL and Python have it.
    @Test func `SHAKE256 agrees with the standard at any length`() {
        let empty =
            "46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762f"
            + "d75dc4ddd8c0f200cb05019d67b592f6fc821c49479ab48640292eacb3b7c4be"
        for count in [0, 1, 32, 64] {
            #expect(Hexadecimal.encode(SHAKE256.digest([], count: count)) == String(empty.prefix(2 * count)))
        }
        let abc =
            "483366601360a8771c6863080cc4114d8db44530f8f1e1ee4f94ea37e78b5739"
            + "d5a15bef186a5386c75744c0527e1faa9f8726e462a12a4feb"
        #expect(Hexadecimal.encode(SHAKE256.digest(Array("abc".utf8), count: 57)) == abc)
    }

    @Test func `HMAC agrees with RFC 4231`() throws {
        for row in try VectorFile.rows("hmac") {
            let key = SecretBytes(copying: VectorFile.bytes(hex: row["key"]?.string ?? ""))
            let message = VectorFile.bytes(hex: row["message"]?.string ?? "")
            let code = try HMAC.code(of: message, key: key, digest: .sha256)
            #expect(Hexadecimal.encode(code) == row["output"]?.string, "\(row["source"]?.string ?? "")")
        }
    }

    // FIPS 180-4 §1: the blocks of SHA-256 have 64 bytes, those of SHA-384 and SHA-512 128.
    @Test(arguments: [(MessageDigest.sha256, 64), (.sha384, 128), (.sha512, 128)])
    func `HMAC is what RFC 2104 says for keys and messages of every length`(_ digest: MessageDigest, block: Int) throws
    {
        for count in [0, 1, 63, 64, 65, 127, 128, 129, 300] {
            let key = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 1) }
            let short = count > block ? digest.digest(key) : key
            let filled = short + [UInt8](repeating: 0, count: block - short.count)
            for message in [[], [1], [UInt8](repeating: 2, count: 200)] as [[UInt8]] {
                let inner = digest.digest(filled.map { $0 ^ 0x36 } + message)
                let expected = digest.digest(filled.map { $0 ^ 0x5C } + inner)
                #expect(try HMAC.code(of: message, key: SecretBytes(copying: key), digest: digest) == expected)
            }
        }
    }
}
