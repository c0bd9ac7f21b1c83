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
            #expect(try jwk.key.isValid(signature, of: message, algorithm))
            message.append(0)
            #expect(try !jwk.key.isValid(signature, of: message, algorithm))
        }
    }

    @Test func `a signature of another length is refused`() throws {
        let message = Array("a message".utf8)
        for algorithm in JWSAlgorithm.all {
            let key = try SigningKey.generate(algorithm)
            let signature = try key.sign(message)
            let verification = try key.publicJWK().key
            let changes: [[UInt8]] = [
                signature + [0], [0] + signature, Array(signature.dropLast()), Array(signature.dropFirst()), [],
            ]
            for changed in changes {
                let isValid = try verification.isValid(changed, of: message, key.algorithm)
                #expect(!isValid)
            }
        }
    }

    @Test func `a key never checks an algorithm of another kind`() throws {
        let message = Array("a message".utf8)
        let signature = try TestKeys.rs256.sign(message)
        let key = try TestKeys.rs256.publicJWK().key
        for algorithm in JWSAlgorithm.all where algorithm != .rs256 {
            #expect(try !key.isValid(signature, of: message, algorithm))
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

    @Test func `a key signs nothing that it is not for`() throws {
        let rsa = try PrivateJWK.generate(.rsa(), keyID: "r", algorithmName: "RS256")
        let secret = try PrivateJWK.generate(.symmetric(byteCount: 47))
        let agreement = try PrivateJWK.generate(.x25519)
        let refused: [(PrivateJWK, JWSAlgorithm, JWTError.Code)] = [
            (rsa, .es256, .keyMismatch), (rsa, .rs512, .keyMismatch), (rsa, .hs256, .keyMismatch),
            (secret, .hs384, .weakKey), (secret, .rs256, .keyMismatch), (agreement, .edDSA, .keyMismatch),
        ]
        for (key, algorithm, code) in refused {
            let error = #expect(throws: JWTError.self) { try SigningKey(key, algorithm: algorithm) }
            #expect(error?.code == code, "\(algorithm)")
        }
        #expect(try SigningKey(secret, algorithm: .hs256).algorithm == .hs256)
    }

    @Test func `operations and use of a private key are obeyed`() throws {
        var members = try PrivateJWK.generate(.p256).privateMembers()
        for (operations, isAllowed) in [
            (["sign"], true), (["verify"], false), (["sign", "verify"], true), ([], false),
        ]
            as [([String], Bool)]
        {
            members["key_ops"] = .strings(operations)
            #expect(try PrivateJWK(members).maySign(with: .es256) == isAllowed, "\(operations)")
        }
        members["key_ops"] = nil
        members["use"] = "enc"
        #expect(try !PrivateJWK(members).maySign(with: .es256))
    }

    @Test func `a code of HMAC is compared as a whole`() throws {
        let key = try SigningKey.generate(.hs256)
        let message = Array("a message".utf8)
        let code = try key.sign(message)
        for position in code.indices {
            var changed = code
            changed[position] ^= 1
            #expect(try !key.key.publicKey.key.isValid(changed, of: message, .hs256))
        }
    }

    @Test func `a PSS signature with another salt length is refused`() throws {
        // Made with 'openssl dgst -sigopt rsa_pss_saltlen:20' over the same message and key.
        let rows = try VectorFile.rows("pss-salt")
        #expect(rows.count == 2)
        for row in rows {
            let key = try JWK(try #require(row["key"]?.object)).key
            let signature = try Base64URL.decode(try #require(row["signature"]?.string))
            let message = Array(try #require(row["message"]?.string).utf8)
            let isValid = try key.isValid(signature, of: message, .ps256)
            #expect(isValid == row["valid"]?.bool, "\(row["source"]?.string ?? "")")
        }
    }
}
