import AuthKitCore
import Testing

@Suite struct EncryptedVectorTests {
    @Test(arguments: try EncryptedVector.all() + EncryptedVector.interoperable())
    func `a token that a standard shows, or another library made, is decrypted`(_ vector: EncryptedVector) throws {
        let key = try PrivateJWK(vector.key)
        let result = try JWE.decrypt(vector.token, with: [key], policy: Encryption.everything)
        #expect(String(decoding: result.plaintext, as: UTF8.self) == vector.plaintext)
        #expect(try result.header.members == vector.header)
        #expect(result.algorithm.name == result.header.algorithmName)
        #expect(result.encryption.name == result.header.encryptionName)
    }

    @Test(arguments: try EncryptedVector.all())
    func `every flipped bit of the text is refused`(_ vector: EncryptedVector) throws {
        let (text, key) = (Array(vector.token.utf8), try PrivateJWK(vector.key))
        let header = vector.parts[0].utf8.count
        for index in text.indices {
            // All bits of a short token; of a longer one, one in every character.
            for bit in 0..<UInt8(8) where text.count <= 300 || Int(bit) == index % 8 {
                var changed = text
                changed[index] ^= 1 << bit
                let error = Encryption.error(of: String(decoding: changed, as: UTF8.self), with: [key])
                let isOneOfTwo = error?.code == .decryptionFailed || error?.code == .malformed
                #expect(index < header ? error != nil : isOneOfTwo)
            }
        }
    }

    @Test(arguments: try EncryptedVector.all())
    func `every flipped bit behind the header is refused, and all of them alike`(_ vector: EncryptedVector) throws {
        let key = try PrivateJWK(vector.key)
        var texts: Set<String> = []
        for part in 1..<5 {
            let bytes = try Base64URL.decode(vector.parts[part])
            for index in bytes.indices where bytes.count < 64 || index % 32 == 0 {
                for bit in 0..<UInt8(8) {
                    var changed = bytes
                    changed[index] ^= 1 << bit
                    let error = Encryption.error(of: vector.token(part: part, changed), with: [key])
                    #expect(error?.code == .decryptionFailed)
                    #expect(error?.cause == nil)
                    texts.insert(error?.detail ?? "")
                }
            }
        }
        #expect(texts.count == 1)
    }

    @Test(arguments: try EncryptedVector.all())
    func `a part that is longer, shorter or missing is refused`(_ vector: EncryptedVector) throws {
        let key = try PrivateJWK(vector.key)
        for part in 0..<5 {
            let bytes = try Base64URL.decode(vector.parts[part])
            for changed in [bytes + [0], Array(bytes.dropLast()), Array(bytes.dropFirst()), []] where changed != bytes {
                let refusal = Encryption.refusal(of: vector.token(part: part, changed), with: [key])
                #expect(refusal == .decryptionFailed || refusal == .malformed)
                // The lengths of IV and tag follow from the header.
                if part == 2 || part == 4 { #expect(refusal == .malformed) }
            }
        }
        for count in 0..<5 {
            let token = vector.parts.prefix(count).joined(separator: ".")
            #expect(Encryption.refusal(of: token, with: [key]) == .malformed)
        }
        for token in [vector.token + ".", "." + vector.token, vector.token + "=", vector.token + "\n"] {
            #expect(Encryption.refusal(of: token, with: [key]) == .malformed)
        }
    }

    @Test(arguments: try EncryptedVector.all())
    func `a header that is spelt in another way is not the one that was sent`(_ vector: EncryptedVector) throws {
        let header = try vector.header
        var reordered: JSONObject = [:]
        for member in header.members.reversed() { reordered[member.name] = member.value }
        let key = try PrivateJWK(vector.key)
        #expect(Encryption.refusal(of: vector.token(header: reordered), with: [key]) == .decryptionFailed)
        let spaced = vector.token(part: 0, header.serialized(pretty: true))
        #expect(Encryption.refusal(of: spaced, with: [key]) == .decryptionFailed)
    }

    @Test(arguments: try VectorFile.rows("refused-encrypted-tokens").compactMap { $0["source"]?.string })
    func `a token of an algorithm that is not supported is refused by name`(_ source: String) throws {
        let row = try #require(try VectorFile.rows("refused-encrypted-tokens").first { $0["source"]?.string == source })
        let error = Encryption.error(of: try #require(row["token"]?.string), with: [])
        #expect(error?.code.description == row["code"]?.string)
        #expect(try error?.detail.contains(#require(row["names"]?.string)) == true)
    }
}
