import Testing

@testable import AuthKitCore

@Suite struct EdwardsPointTests {
    /// Every point of small order, with either sign, and encodings that are not canonical.
    private static func vectors() throws -> [(curve: String, x: [UInt8])] {
        try VectorFile.rows("unusable-points").map { row in
            (try #require(row["crv"]?.string), VectorFile.bytes(hex: try #require(row["x"]?.string)))
        }
    }

    private static func members(_ curve: String, _ x: [UInt8]) -> JSONObject {
        ["kty": "OKP", "crv": .string(curve), "x": .string(Base64URL.encode(x))]
    }

    @Test func `a key that anybody can sign for is refused in every form`() throws {
        let vectors = try Self.vectors()
        #expect(vectors.count == 45)
        for (curve, x) in vectors {
            // RFC 8410 §4, §10.1: a SubjectPublicKeyInfo is this and the key.
            let start: [UInt8] =
                curve == "Ed25519"
                ? [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]
                : [0x30, 0x43, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x71, 0x03, 0x3A, 0x00]
            let der = start + x
            let errors = [
                #expect(throws: JWTError.self) { try JWK(Self.members(curve, x)) },
                #expect(throws: JWTError.self) { try JWK(der: der) },
                #expect(throws: JWTError.self) { try JWK(pem: PEM.write("PUBLIC KEY", der)) },
            ]
            for error in errors {
                #expect(error?.code == .malformed)
                #expect(error?.detail.contains("anybody can sign for") == true, "\(curve) \(x)")
            }
        }
    }

    @Test func `a set passes over such a key and counts it`() throws {
        let good = try PrivateJWK.generate(.ed25519).publicKey
        let bad = try Self.vectors().map { JSONValue.object(Self.members($0.curve, $0.x)) }
        let set = try JWKSet(["keys": .array(bad + [.object(good.members)])])
        #expect(set.keys.map(\.thumbprint) == [good.thumbprint])
        #expect(set.skippedCount == bad.count)
    }

    @Test(arguments: [GeneratedKeyKind.ed25519, .ed448])
    func `keys of the whole order are taken`(_ kind: GeneratedKeyKind) throws {
        for _ in 0..<64 {
            let key = try PrivateJWK.generate(kind).publicKey
            #expect(try JWK(key.members).thumbprint == key.thumbprint)
        }
    }

    @Test func `only the curves of EdDSA are looked at`() {
        #expect(EdwardsPoint.isUsable([UInt8](repeating: 0, count: 32), .x25519))
        #expect(!EdwardsPoint.isUsable([UInt8](repeating: 0, count: 32), .ed25519))
        #expect(EdwardsPoint.isUsable([2] + [UInt8](repeating: 0, count: 31), .ed25519))
    }
}
