import Testing

@testable import AuthKitCore

@Suite struct KeyAgreementTests {
    private static func row(_ source: String) throws -> JSONObject {
        try #require(
            try VectorFile.rows("key-agreement").first { $0["source"]?.string?.hasPrefix(source) == true }
        )
    }

    private static func pair(_ name: String, of row: JSONObject) throws -> EVPKey {
        let members = try #require(row[name]?.object)
        return try #require(try PrivateJWK(members).evp)
    }

    private static func hex(_ secret: borrowing SecretBytes) -> String {
        unsafe secret.withUnsafeBytes { unsafe Hexadecimal.encode(Array($0)) }
    }

    @Test(arguments: ["RFC 7518 Appendix C", "RFC 8037 Appendix A.6"])
    func `both sides agree on the standard's secret`(_ source: String) throws {
        let row = try Self.row(source)
        let (own, peer) = (try Self.pair("own", of: row), try Self.pair("peer", of: row))
        let expected = try #require(row["secret"]?.string)
        #expect(try Self.hex(KeyAgreement.sharedSecret(of: own, and: peer)) == expected)
        #expect(try Self.hex(KeyAgreement.sharedSecret(of: peer, and: own)) == expected)
    }

    @Test func `the key derived from it is the standard's`() throws {
        let row = try Self.row("RFC 7518 Appendix C")
        let secret = SecretBytes(copying: VectorFile.bytes(hex: try #require(row["secret"]?.string)))
        let parties = ["apu", "apv"].map { Array((row[$0]?.string ?? "").utf8) }
        let key = try ConcatKDF.derive(
            from: secret,
            count: 16,
            algorithm: "A128GCM",
            partyU: parties[0],
            partyV: parties[1]
        )
        let text = Self.hex(key)
        #expect(text == row["derived"]?.string)
    }

    @Test func `name, length and parties each change the derived key`() throws {
        let secret = SecretBytes(copying: [UInt8](repeating: 3, count: 32))
        let derive = { (secret: borrowing SecretBytes, count: Int, name: String, u: [UInt8], v: [UInt8]) in
            let key = try ConcatKDF.derive(from: secret, count: count, algorithm: name, partyU: u, partyV: v)
            return String(Self.hex(key).prefix(32))
        }
        let keys = [
            try derive(secret, 16, "A128GCM", [], []), try derive(secret, 32, "A128GCM", [], []),
            try derive(secret, 16, "A128KW", [], []), try derive(secret, 16, "A128GCM", [1], []),
            try derive(secret, 16, "A128GCM", [], [1]), try derive(secret, 16, "A128GCM", [1, 2], [3]),
            try derive(secret, 16, "A128GCM", [1], [2, 3]),
        ]
        #expect(Set(keys).count == keys.count)
    }

    @Test func `keys of two curves share nothing`() throws {
        let own = try EVPKey.generate("EC", group: "P-256")
        for peer in [try EVPKey.generate("EC", group: "P-384"), try EVPKey.generate("X25519")] {
            let error = #expect(throws: CryptoError.self) { _ = try KeyAgreement.sharedSecret(of: own, and: peer) }
            #expect(error?.code == .authenticationFailed)
        }
    }

    @Test(arguments: [RSAOAEP.sha1, .sha256])
    func `what OAEP encrypts, only its key and its digest decrypt`(_ oaep: RSAOAEP) throws {
        let key = try EVPKey.generate("RSA", rsaBits: 2048)
        let secret = SecretBytes(copying: [UInt8](repeating: 9, count: 64))
        let ciphertext = try oaep.encrypt(secret, for: key)
        let isSame = try oaep.decrypt(ciphertext, with: key).isEqual(to: secret)
        #expect(isSame)
        var changed = ciphertext
        changed[changed.count - 1] ^= 1
        let other: RSAOAEP = oaep == .sha1 ? .sha256 : .sha1
        let attempts: [(RSAOAEP, [UInt8])] = [
            (oaep, changed), (other, ciphertext), (oaep, []), (oaep, ciphertext + [0]),
            (oaep, Array(ciphertext.dropFirst())), (oaep, [UInt8](repeating: 0, count: 256)),
            (oaep, [UInt8](repeating: 255, count: 256)),
        ]
        for (oaep, bytes) in attempts {
            let error = #expect(throws: CryptoError.self) { _ = try oaep.decrypt(bytes, with: key) }
            #expect(error?.code == .authenticationFailed)
        }
    }
}
