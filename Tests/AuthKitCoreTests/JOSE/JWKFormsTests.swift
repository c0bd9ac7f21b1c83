import AuthKitCore
import Testing

@Suite struct JWKFormsTests {
    static let kinds: [GeneratedKeyKind] = [
        .rsa(), .p256, .p384, .p521, .secp256k1, .ed25519, .ed448, .x25519,
    ]

    private func refusal(of members: JSONObject) -> JWTError.Code? {
        do {
            _ = try PrivateJWK(members)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(arguments: kinds)
    func `a generated pair survives JSON, PEM and DER`(_ kind: GeneratedKeyKind) throws {
        let key = try PrivateJWK.generate(kind, keyID: "k", algorithmName: "X", use: "sig")
        let members = try key.privateMembers()
        #expect(members["d"] != nil)
        #expect(members["kid"] == "k" && members["alg"] == "X" && members["use"] == "sig")
        #expect(try PrivateJWK(parsing: members.serialized()).privateMembers() == members)
        let again = try PrivateJWK(pem: key.privatePEM(), keyID: "k")
        #expect(try again.privateMembers()["d"] == members["d"])
        #expect(again.publicKey.required == key.publicKey.required)
        let der = try key.privateDER()
        #expect(try PrivateJWK(der: der, keyID: "k").privateMembers() == again.privateMembers())
        #expect(throws: JWTError.self) { try PrivateJWK(der: Array(der.dropLast())) }
        let pem = try key.publicKey.pem()
        #expect(pem.hasPrefix("-----BEGIN PUBLIC KEY-----\n"))
        #expect(try JWK(pem: pem).required == key.publicKey.required)
        #expect(try JWK(der: key.publicKey.der()).required == key.publicKey.required)
        #expect(try JWK(pem: key.privatePEM()).required == key.publicKey.required)
    }

    @Test(arguments: kinds)
    func `no text of a private key and no public form shows its private half`(_ kind: GeneratedKeyKind) throws {
        let key = try PrivateJWK.generate(kind)
        let secret = try #require(key.privateMembers()["d"]?.string)
        let texts = [
            "\(key)", String(reflecting: key), String(decoding: key.publicKey.members.serialized(), as: UTF8.self),
            String(reflecting: key.publicKey), try key.publicKey.pem(),
        ]
        for text in texts { #expect(!text.contains(secret)) }
        var dumped = ""
        dump(key, to: &dumped)
        #expect(!dumped.contains(secret))
    }

    @Test func `a symmetric key shows its bytes by name alone and has no PEM`() throws {
        let key = try PrivateJWK.generate(.symmetric(byteCount: 64), keyID: "s")
        let secret = try #require(key.privateMembers()["k"]?.string)
        #expect(key.publicKey.members == ["kid": "s", "kty": "oct"])
        #expect(!"\(JWKSet([key.publicKey]).json)".contains(secret))
        #expect(key.publicKey.bits == 512)
        #expect(try JWK(["kty": "oct", "k": .string(secret)]).thumbprint == key.publicKey.thumbprint)
        let errors = [
            #expect(throws: JWTError.self) { try key.privatePEM() },
            #expect(throws: JWTError.self) { try key.privateDER() },
            #expect(throws: JWTError.self) { try key.publicKey.pem() },
        ]
        for error in errors { #expect(error?.code == .keyMismatch) }
    }

    @Test(arguments: kinds)
    func `a private half of another key is refused`(_ kind: GeneratedKeyKind) throws {
        var members = try PrivateJWK.generate(kind).privateMembers()
        let other = try PrivateJWK.generate(kind).privateMembers()
        members["d"] = other["d"]
        #expect(refusal(of: members) == .malformed)
    }

    @Test func `an RSA key has d alone or all its numbers`() throws {
        let whole = try PrivateJWK.generate(.rsa()).privateMembers()
        var bare = whole
        for name in ["p", "q", "dp", "dq", "qi"] { bare[name] = nil }
        #expect(refusal(of: bare) == nil)
        #expect(try SigningKey(PrivateJWK(bare), algorithm: .ps256).sign([1]).count == 256)
        var wrong = bare
        wrong["d"] = try PrivateJWK.generate(.rsa()).privateMembers()["d"]
        #expect(refusal(of: wrong) == .malformed)
        for name in ["p", "q", "dp", "dq", "qi", "d"] {
            var lacking = whole
            lacking[name] = nil
            #expect(refusal(of: lacking) == .malformed, "\(name)")
        }
        var endless = whole
        endless["p"] = .string(Base64URL.encode([UInt8](repeating: 0xFF, count: 12_000)))
        #expect(refusal(of: endless) == .malformed)
        var more = whole
        more["oth"] = []
        #expect(refusal(of: more) == .malformed)
    }

    @Test func `a private number has its full length`() throws {
        var members = try PrivateJWK.generate(.p256).privateMembers()
        let d = try Base64URL.decode(members["d"]?.string ?? "")
        members["d"] = .string(Base64URL.encode([0] + d))
        #expect(refusal(of: members) == .malformed)
        members = try PrivateJWK.generate(.ed25519).privateMembers()
        members["d"] = .string(Base64URL.encode(Array(d.dropLast())))
        #expect(refusal(of: members) == .malformed)
    }

    @Test func `texts that hold no key, more than one, or more than a key are refused`() throws {
        let key = try PrivateJWK.generate(.p256)
        let pem = try key.publicKey.pem()
        let der = try key.publicKey.der()
        let texts = [
            "", "x", pem + pem, pem.replacing("PUBLIC", with: "ENCRYPTED PRIVATE"), String(pem.dropLast(30)),
            pem.replacing("PUBLIC KEY", with: "DH PARAMETERS"),
            try key.privatePEM().replacing("PRIVATE KEY", with: "PUBLIC KEY"),
            pem + String(repeating: " ", count: 64 << 10), pem + "more", pem + String(pem.dropLast(30)),
            String(repeating: pem.replacing("PUBLIC KEY", with: "EC PARAMETERS"), count: 3) + pem + pem,
        ]
        for text in texts {
            let error = #expect(throws: JWTError.self) { try JWK(pem: text) }
            #expect(error?.code == .malformed)
        }
        for bytes in [[], der + [0], Array(der.dropLast()), [0x30]] as [[UInt8]] {
            let error = #expect(throws: JWTError.self) { try JWK(der: bytes) }
            #expect(error?.code == .malformed)
        }
        #expect(try JWK(pem: "a comment\n" + pem + " \n\n").required == key.publicKey.required)
        let error = #expect(throws: JWTError.self) { try PrivateJWK(pem: pem) }
        #expect(error?.code == .malformed)
    }

    @Test func `sizes outside what a kind takes are not generated`() {
        for kind in [.rsa(bits: 1024), .rsa(bits: 16384), .rsa(bits: 2049), .symmetric(byteCount: 8)]
            as [GeneratedKeyKind]
        {
            let error = #expect(throws: JWTError.self) { try PrivateJWK.generate(kind) }
            #expect(error?.code == .malformed)
        }
    }
}
