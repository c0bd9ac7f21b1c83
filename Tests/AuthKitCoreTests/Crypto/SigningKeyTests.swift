import AuthKitCore
import Testing

@Suite struct SigningKeyTests {
    @Test(arguments: JWSAlgorithm.all)
    func `what a generated key signs, its public half believes`(_ algorithm: JWSAlgorithm) throws {
        let key = try SigningKey.generate(algorithm)
        let jwk = try key.publicJWK(keyID: "k")
        #expect(jwk.fits(algorithm))
        var message = Array("a message".utf8)
        for _ in 0..<3 {
            let signature = try key.sign(message)
            #expect(try jwk.key.verify(signature: signature, message: message[...], algorithm: algorithm))
            message.append(0)
            #expect(try !jwk.key.verify(signature: signature, message: message[...], algorithm: algorithm))
        }
    }

    @Test func `a signature of another length is refused`() throws {
        let message = Array("a message".utf8)
        for key in [TestKeys.rs256, TestKeys.es256, TestKeys.edDSA] {
            let signature = try key.sign(message)
            let verification = try key.publicJWK().key
            let changes: [[UInt8]] = [
                signature + [0], [0] + signature, Array(signature.dropLast()), Array(signature.dropFirst()), [],
            ]
            for changed in changes {
                let isValid = try verification.verify(
                    signature: changed,
                    message: message[...],
                    algorithm: key.algorithm
                )
                #expect(!isValid)
            }
        }
    }

    @Test func `a key never checks an algorithm of another kind`() throws {
        let message = Array("a message".utf8)
        let signature = try TestKeys.rs256.sign(message)
        let key = try TestKeys.rs256.publicJWK().key
        for algorithm in JWSAlgorithm.all where algorithm != .rs256 {
            #expect(try !key.verify(signature: signature, message: message[...], algorithm: algorithm))
        }
    }

    @Test func `a point that is not on its curve is no key`() throws {
        let members = try TestKeys.es256.publicJWK().required
        var y = try Base64URL.decode(members["y"]?.string ?? "")
        y[31] ^= 1
        let x = try Base64URL.decode(members["x"]?.string ?? "")
        let error = #expect(throws: CryptoError.self) { try VerificationKey.ec(.p256, x: x, y: y) }
        #expect(error?.code == .operationFailed)
    }

    @Test func `RSA numbers that no key has are refused`() throws {
        let modulus: [UInt8] = [0x80] + [UInt8](repeating: 0, count: 254) + [1]
        let even: [UInt8] = modulus.dropLast() + [2]
        let huge = [UInt8](repeating: 255, count: 2049)
        let numbers: [(n: [UInt8], e: [UInt8])] = [
            (modulus, [1]), (modulus, [2]), (modulus, []), (modulus, [UInt8](repeating: 255, count: 9)),
            (even, [1, 0, 1]), ([], [3]), (huge, [3]),
        ]
        for (n, e) in numbers {
            let error = #expect(throws: CryptoError.self) { try VerificationKey.rsa(modulus: n, exponent: e) }
            #expect(error?.code == .invalidInput)
        }
    }

    @Test func `deterministic signatures of the RFCs come out byte for byte`() throws {
        for row in try VectorFile.rows("jws") where row["deterministic"]?.bool == true {
            let algorithm = try #require(JWSAlgorithm(name: row["algorithm"]?.string ?? ""))
            let key = try SigningKey.make(try #require(row["key"]?.object), algorithm: algorithm)
            let token = try #require(row["token"]?.string)
            let input = token.prefix(upTo: try #require(token.lastIndex(of: ".")))
            let signature = Base64URL.encode(try key.sign(Array(input.utf8)))
            #expect(token == input + "." + signature, "\(row["source"]?.string ?? "")")
        }
    }

    @Test func `a private key is not made for an algorithm of another kind`() throws {
        let rows = try VectorFile.rows("jws")
        let rsa = try #require(rows.first?["key"]?.object)
        let error = #expect(throws: JWTError.self) { try SigningKey.make(rsa, algorithm: .es256) }
        #expect(error?.code == .keyMismatch)
        var incomplete = rsa
        incomplete["qi"] = nil
        let second = #expect(throws: JWTError.self) { try SigningKey.make(incomplete, algorithm: .rs256) }
        #expect(second?.code == .malformed)
    }
}
