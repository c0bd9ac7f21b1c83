import AuthKitCore
import Testing

@Suite struct KeyAgreementHeaderTests {
    /// A token to a key, its `epk` changed as a test likes.
    private static func token(to key: PrivateJWK, _ change: (inout JSONObject) throws -> Void) throws -> String {
        let token = try JWE.encrypt([1], to: key.publicKey, algorithm: .ecdhES, encryption: .a128GCM)
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        var header = try #require(JSONValue(parsing: Base64URL.decode(parts[0])).object)
        var sender = try #require(header["epk"]?.object)
        try change(&sender)
        header["epk"] = sender.isEmpty ? nil : .object(sender)
        return ([Substring(Base64URL.encode(header.serialized()))] + parts.dropFirst()).joined(separator: ".")
    }

    private static func refusal(
        _ key: PrivateJWK,
        _ change: (inout JSONObject) throws -> Void
    ) throws -> JWTError.Code? {
        Encryption.refusal(of: try token(to: key, change), with: [key])
    }

    @Test func `the sender's key has public members alone`() throws {
        for key in [Encryption.p256, Encryption.x25519] {
            let token = try JWE.encrypt([1], to: key.publicKey, algorithm: .ecdhES, encryption: .a128GCM)
            let sender = try #require(try JWE.unverifiedHeader(of: token).members["epk"]?.object)
            #expect(Set(sender.names).isSubset(of: ["kty", "crv", "x", "y"]))
        }
    }

    @Test(arguments: [Encryption.p256, Encryption.p384, Encryption.p521])
    func `a point that is not on the curve is refused`(_ key: PrivateJWK) throws {
        let code = try Self.refusal(key) { sender in
            var y = try Base64URL.decode(#require(sender["y"]?.string))
            y[y.count - 1] ^= 1
            sender["y"] = .string(Base64URL.encode(y))
        }
        #expect(code == .malformed)
        #expect(try Self.refusal(key) { $0["x"] = .string(Base64URL.encode([1])) } == .malformed)
        #expect(try Self.refusal(key) { $0["y"] = nil } == .malformed)
        let zeros = JSONValue.string(Base64URL.encode([UInt8](repeating: 0, count: (key.publicKey.bits + 7) / 8)))
        #expect(try Self.refusal(key) { ($0["x"], $0["y"]) = (zeros, zeros) } == .malformed)
    }

    @Test func `no sender's key, or one with private members or of another kind, is refused`() throws {
        let key = Encryption.p256
        #expect(try Self.refusal(key) { $0 = [:] } == .malformed)
        #expect(try Self.refusal(key) { $0["d"] = "AQ" } == .malformed)
        #expect(try Self.refusal(key) { $0["kty"] = "OKP" } == .malformed)
        for kind in [GeneratedKeyKind.secp256k1, .ed25519, .rsa()] {
            let other = try PrivateJWK.generate(kind).publicKey.required
            #expect(try Self.refusal(key) { $0 = other } == .malformed)
        }
        let symmetric: JSONObject = ["kty": "oct", "k": "AAECAwQFBgcICQoLDA0ODw"]
        #expect(try Self.refusal(key) { $0 = symmetric } == .malformed)
    }

    @Test func `a sender's key on another curve is for another key`() throws {
        for (key, other) in [(Encryption.p256, Encryption.p384), (Encryption.p521, Encryption.x25519)] {
            #expect(try Self.refusal(key) { $0 = other.publicKey.required } == .keyMismatch)
        }
    }

    @Test func `another point of the curve fails as a changed token does`() throws {
        for key in [Encryption.p256, Encryption.x25519] {
            #expect(try Self.refusal(key) { $0 = key.publicKey.required } == .decryptionFailed)
        }
    }

    // RFC 7748 §6.1: points with which every key agrees on zeros; written little-endian.
    @Test(arguments: [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ])
    func `a point of small order is refused, although what it gives is known`(_ point: String) throws {
        let key = Encryption.x25519
        let x = JSONValue.string(Base64URL.encode(VectorFile.bytes(hex: point)))
        #expect(try Self.refusal(key) { $0["x"] = x } == .decryptionFailed)
    }
}
