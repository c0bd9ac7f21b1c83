import AuthKitCore
import Testing

@Suite struct AESCBCHMACTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let source: String
        let cipher: AESCBCHMAC
        let key: [UInt8]
        let iv: [UInt8]
        let associated: [UInt8]
        let plaintext: [UInt8]
        let sealed: [UInt8]

        var testDescription: String { source }

        static func all() throws -> [Row] {
            let sizes: [String: AESKeySize] = [
                "A128CBC-HS256": .aes128, "A192CBC-HS384": .aes192, "A256CBC-HS512": .aes256,
            ]
            let rows = try VectorFile.rows("aes-cbc-hmac").map { row in
                let bytes = { (name: String) in VectorFile.bytes(hex: try #require(row[name]?.string)) }
                return Row(
                    source: try #require(row["source"]?.string),
                    cipher: AESCBCHMAC(try #require(sizes[row["name"]?.string ?? ""])),
                    key: try bytes("key"),
                    iv: try bytes("iv"),
                    associated: try bytes("associated"),
                    plaintext: try bytes("plaintext"),
                    sealed: try bytes("ciphertext") + bytes("tag")
                )
            }
            try #require(rows.count == 3)
            return rows
        }

        func refusal(
            _ sealed: [UInt8]? = nil,
            key: [UInt8]? = nil,
            iv: [UInt8]? = nil,
            associated: [UInt8]? = nil
        ) -> CryptoError.Code? {
            do throws(CryptoError) {
                _ = try cipher.open(
                    sealed ?? self.sealed,
                    key: SecretBytes(copying: key ?? self.key),
                    iv: iv ?? self.iv,
                    authenticating: associated ?? self.associated
                )
                return nil
            } catch {
                return error.code
            }
        }
    }

    @Test(arguments: try Row.all())
    func `sealing and opening agree with the standard`(_ row: Row) throws {
        let key = SecretBytes(copying: row.key)
        let sealed = try row.cipher.seal(row.plaintext, key: key, iv: row.iv, authenticating: row.associated)
        #expect(sealed == row.sealed)
        #expect(try row.cipher.open(sealed, key: key, iv: row.iv, authenticating: row.associated) == row.plaintext)
    }

    @Test(arguments: try Row.all())
    func `every flipped bit is refused with one code`(_ row: Row) {
        for index in row.sealed.indices {
            for bit in 0..<UInt8(8) {
                var changed = row.sealed
                changed[index] ^= 1 << bit
                #expect(row.refusal(changed) == .authenticationFailed)
            }
        }
        for index in row.iv.indices {
            var changed = row.iv
            changed[index] ^= 1
            #expect(row.refusal(iv: changed) == .authenticationFailed)
        }
    }

    @Test(arguments: try Row.all())
    func `another key, IV, place or length is refused with one code`(_ row: Row) {
        var (front, back) = (row.key, row.key)
        front[0] ^= 1
        #expect(row.refusal(key: front) == .authenticationFailed)
        #expect(row.refusal(key: Array(row.key.dropLast())) == .authenticationFailed)
        #expect(row.refusal(iv: Array(row.iv.dropLast())) == .authenticationFailed)
        #expect(row.refusal(associated: []) == .authenticationFailed)
        #expect(row.refusal(associated: row.associated + [0]) == .authenticationFailed)
        for sealed in [[], Array(row.sealed.dropFirst(16)), Array(row.sealed.dropLast()), row.sealed + [0]] {
            #expect(row.refusal(sealed) == .authenticationFailed)
        }
        // The tag does not cover the key of the cipher: a wrong one gives wrong padding, or another text.
        back[back.count - 1] ^= 1
        #expect(row.refusal(key: back) != .operationFailed)
    }

    @Test(arguments: try Row.all())
    func `associated data and IV cannot be moved into each other`(_ row: Row) throws {
        let moved = Array(row.associated.dropLast(1))
        #expect(row.refusal(associated: moved) == .authenticationFailed)
    }

    @Test func `sealing refuses a key or IV of another length`() {
        for (keyCount, ivCount) in [(31, 16), (33, 16), (16, 16), (32, 12), (32, 0)] {
            let error = #expect(throws: CryptoError.self) {
                try AESCBCHMAC(.aes128)
                    .seal(
                        [],
                        key: SecretBytes(copying: [UInt8](repeating: 1, count: keyCount)),
                        iv: [UInt8](repeating: 0, count: ivCount),
                        authenticating: []
                    )
            }
            #expect(error?.code == .invalidInput)
        }
    }
}
