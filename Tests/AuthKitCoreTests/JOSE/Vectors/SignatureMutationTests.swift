import AuthKitCore
import Testing

@Suite struct SignatureMutationTests {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    @Test(arguments: try SignatureVector.all())
    func `every flipped bit of the signature makes it bad`(_ vector: SignatureVector) throws {
        let (signature, keys) = (try vector.signature, try vector.keys)
        for index in signature.indices {
            for bit in 0..<UInt8(8) {
                var changed = signature
                changed[index] ^= 1 << bit
                let token = vector.token(signature: changed)
                let refusal = SignatureVector.refusal(of: token, with: keys, algorithms: [vector.algorithm])
                #expect(refusal == .badSignature)
            }
        }
    }

    @Test(arguments: try SignatureVector.all())
    func `every flipped bit of the text is refused`(_ vector: SignatureVector) throws {
        let (text, keys) = (Array(vector.token.utf8), try vector.keys)
        let (header, payload) = (vector.parts[0].utf8.count, vector.parts[1].utf8.count)
        // All bits of a short token; of the payload of a longer one, one in every character.
        let isShort = text.count <= 300
        for index in text.indices {
            let isPayload = (header + 1..<header + 1 + payload).contains(index)
            for bit in 0..<UInt8(8) where isShort || !isPayload || Int(bit) == index % 8 {
                var changed = text
                changed[index] ^= 1 << bit
                let token = String(decoding: changed, as: UTF8.self)
                let refusal = SignatureVector.refusal(of: token, with: keys, algorithms: JWSAlgorithm.all)
                #expect(refusal != nil)
            }
        }
    }

    @Test(arguments: try SignatureVector.all())
    func `a swapped algorithm is refused`(_ vector: SignatureVector) throws {
        for algorithm in JWSAlgorithm.all where algorithm != vector.algorithm {
            var header = try vector.header
            header["alg"] = .string(algorithm.name)
            let token = vector.token(header: Base64URL.encode(header.serialized()))
            let own = SignatureVector.refusal(of: token, with: try vector.keys, algorithms: JWSAlgorithm.all)
            #expect(own == .keyMismatch || own == .badSignature || own == .weakKey)
            let all = try SignatureVector.allKeys()
            #expect(SignatureVector.refusal(of: token, with: all, algorithms: JWSAlgorithm.all) != nil)
        }
        for name in ["none", "None", "", "HS1", "RS1", vector.algorithm.name + " ", vector.algorithm.name.lowercased()]
        {
            var header = try vector.header
            header["alg"] = .string(name)
            let encoded = Base64URL.encode(header.serialized())
            for signature in [try vector.signature, []] {
                let token = vector.token(header: encoded, signature: signature)
                #expect(try vector.refusal(of: token) == .unsupportedAlgorithm)
            }
        }
    }

    @Test(arguments: try SignatureVector.all())
    func `a kid that is dropped, added or changed makes the signature bad or its key unknown`(
        _ vector: SignatureVector
    ) throws {
        for keyID in [nil, "", "another", vector.key["kid"]?.string] {
            var header = try vector.header
            guard header["kid"]?.string != keyID else { continue }
            header["kid"] = keyID.map(JSONValue.string)
            let token = vector.token(header: Base64URL.encode(header.serialized()))
            let refusal = try vector.refusal(of: token)
            #expect(refusal == .badSignature || refusal == .keyNotFound)
        }
    }

    @Test(arguments: try SignatureVector.all())
    func `a header that is spelt in another way makes the signature bad`(_ vector: SignatureVector) throws {
        let header = try vector.header
        var reordered: JSONObject = ["x": 1]
        for member in header.members.reversed() { reordered[member.name] = member.value }
        reordered["x"] = nil
        for text in [header.serialized(pretty: true), reordered.serialized() + [0x20]] {
            #expect(try vector.refusal(of: vector.token(header: Base64URL.encode(text))) == .badSignature)
        }
    }

    @Test(arguments: try SignatureVector.all())
    func `anything before, behind or between is refused`(_ vector: SignatureVector) throws {
        let (token, parts) = (vector.token, vector.parts)
        for wrong in [
            token + ".", token + "..", token + ".x", token + "A", token + "AA", token + "=", token + "==", token + "\n",
            token + " ",
            token + "\0", token + "\u{E9}", "." + token, " " + token, "\u{FEFF}" + token, "Bearer " + token,
            "\(parts[0])=.\(parts[1]).\(parts[2])", "\(parts[0]).\(parts[1])=.\(parts[2])",
            "\(parts[0])..\(parts[1]).\(parts[2])",
            "\(parts[0])\n.\(parts[1]).\(parts[2])", "\(parts[0]).\(parts[1])", "\(parts[0]).\(parts[2])", parts[2],
        ] {
            #expect(try vector.refusal(of: wrong) != nil)
        }
        let signature = try vector.signature
        for wrong in [signature + [0], [0] + signature, Array(signature.dropLast()), Array(signature.dropFirst())] {
            #expect(try vector.refusal(of: vector.token(signature: wrong)) == .badSignature)
        }
    }

    @Test(arguments: try SignatureVector.all())
    func `base64url that is not canonical is refused in every part`(_ vector: SignatureVector) throws {
        for part in 0..<3 {
            var parts = vector.parts
            let last = try #require(parts[part].last.flatMap(Self.alphabet.firstIndex))
            // The last of two characters carries four bits without meaning, that of three carries two.
            let strayCount = [2: 16, 3: 4][parts[part].count % 4] ?? 1
            #expect(last % strayCount == 0)
            for stray in 1..<max(strayCount, 1) {
                parts[part] =
                    String(parts[part].dropLast()) + String(Self.alphabet[last / strayCount * strayCount + stray])
                #expect(try vector.refusal(of: parts.joined(separator: ".")) == .malformed)
            }
            var standard = vector.parts
            standard[part] = standard[part].replacing("-", with: "+").replacing("_", with: "/")
            guard standard != vector.parts else { continue }
            #expect(try vector.refusal(of: standard.joined(separator: ".")) == .malformed)
        }
    }

    @Test(arguments: try SignatureVector.all())
    func `a signature that is empty, zero or all ones is bad`(_ vector: SignatureVector) throws {
        let count = try vector.signature.count
        for signature in [[], [UInt8](repeating: 0, count: count), [UInt8](repeating: 255, count: count)] {
            #expect(try vector.refusal(of: vector.token(signature: signature)) == .badSignature)
        }
    }

    @Test(arguments: try SignatureVector.all())
    func `a payload that is emptied or taken from elsewhere makes the signature bad`(_ vector: SignatureVector) throws {
        for payload in ["", "e30", vector.parts[1] + "IA", try SignatureVector.all()[3].parts[1]]
        where payload != vector.parts[1] {
            let refusal = try vector.refusal(of: vector.token(payload: payload))
            // Behind a part that ends within a group, two characters more may be no base64url at all.
            #expect(refusal == .badSignature || refusal == .malformed)
        }
    }

    @Test(arguments: try SignatureVector.all().filter { $0.algorithm.name.hasPrefix("ES") })
    func `an ECDSA signature with a number of zero or with exchanged numbers is bad`(_ vector: SignatureVector) throws {
        let signature = try vector.signature
        let half = signature.count / 2
        let zero = [UInt8](repeating: 0, count: half)
        let (r, s) = (Array(signature.prefix(half)), Array(signature.suffix(half)))
        for wrong in [zero + s, r + zero, zero + zero, s + r, r + r, s + s] {
            #expect(try vector.refusal(of: vector.token(signature: wrong)) == .badSignature)
        }
    }

    @Test(arguments: try SignatureVector.all().filter { !$0.algorithm.isSymmetric })
    func `a public key never serves as the secret of HMAC`(_ vector: SignatureVector) throws {
        let jwk = try JWK(vector.key)
        for name in ["n", "x", "y"] {
            guard let text = jwk.required[name]?.string else { continue }
            var header = try vector.header
            header["alg"] = "HS256"
            let input = Base64URL.encode(header.serialized()) + "." + vector.parts[1]
            let secret = try PrivateJWK(["kty": "oct", "k": .string(text)])
            let signature = try SigningKey(secret, algorithm: .hs256).sign(Array(input.utf8))
            let token = input + "." + Base64URL.encode(signature)
            let refusal = SignatureVector.refusal(of: token, with: try vector.keys, algorithms: JWSAlgorithm.all)
            #expect(refusal == .keyMismatch)
        }
    }
}
