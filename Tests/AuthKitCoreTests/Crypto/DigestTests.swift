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

    @Test func `HMAC agrees with RFC 4231`() throws {
        for row in try VectorFile.rows("hmac") {
            let key = SecretBytes(copying: VectorFile.bytes(hex: row["key"]?.string ?? ""))
            let message = VectorFile.bytes(hex: row["message"]?.string ?? "")
            let code = try HMAC.code(of: message, key: key, digest: .sha256)
            #expect(Hexadecimal.encode(code) == row["output"]?.string, "\(row["source"]?.string ?? "")")
        }
    }
}
