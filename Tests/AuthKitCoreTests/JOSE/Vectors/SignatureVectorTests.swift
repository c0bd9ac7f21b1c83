import AuthKitCore
import Testing

@Suite struct SignatureVectorTests {
    @Test(arguments: try SignatureVector.all())
    func `the signature of a standard is valid`(_ vector: SignatureVector) throws {
        let verified = try JWTVerifier.verifySignature(
            vector.token,
            with: vector.keys,
            algorithms: [vector.algorithm]
        )
        #expect(verified.algorithm == vector.algorithm)
        let keyID = try vector.header["kid"]
        #expect(verified.header.keyID.map(JSONValue.string) == keyID)
        #expect(try verified.payload == Base64URL.decode(vector.parts[1]))
    }

    @Test(arguments: try SignatureVector.all())
    func `the signature is found among all keys of all standards`(_ vector: SignatureVector) throws {
        let refusal = SignatureVector.refusal(
            of: vector.token,
            with: try SignatureVector.allKeys(),
            algorithms: JWSAlgorithm.all
        )
        #expect(refusal == nil)
    }

    @Test(arguments: try SignatureVector.all())
    func `the signature is not valid under another key of its kind`(_ vector: SignatureVector) throws {
        let other = try SigningKey.generate(vector.algorithm).publicJWK(keyID: vector.key["kid"]?.string)
        let keys = JWKSet([other])
        let refusal = SignatureVector.refusal(of: vector.token, with: keys, algorithms: [vector.algorithm])
        #expect(refusal == .badSignature)
    }

    @Test(arguments: try SignatureVector.all())
    func `an algorithm that is not on the list is refused`(_ vector: SignatureVector) throws {
        let others = JWSAlgorithm.all.filter { vector.algorithm.allowed(by: [$0]) == nil }
        for algorithms in [[], others] {
            let refusal = SignatureVector.refusal(of: vector.token, with: try vector.keys, algorithms: algorithms)
            #expect(refusal == .algorithmNotAllowed)
        }
    }

    @Test(arguments: try SignatureVector.all().filter(\.isDeterministic))
    func `signing again gives the bytes of the standard`(_ vector: SignatureVector) throws {
        let input = Array(vector.parts.prefix(2).joined(separator: ".").utf8)
        let signature = try vector.signer.sign(input)
        #expect(try signature == vector.signature)
    }

    @Test(arguments: try SignatureVector.all().filter { !$0.isDeterministic })
    func `signing again gives another valid signature`(_ vector: SignatureVector) throws {
        let input = Array(vector.parts.prefix(2).joined(separator: ".").utf8)
        let signature = try vector.signer.sign(input)
        #expect(try signature != vector.signature)
        #expect(try signature.count == vector.signature.count)
        #expect(try vector.refusal(of: vector.token(signature: signature)) == nil)
    }
}
