import AuthKitCore
import Testing

@Suite struct VerificationKeyTests {
    private let message = Array("a message".utf8)

    @Test func `one key checks signatures of several schemes, right ones and wrong ones in turn`() throws {
        let members = try PrivateJWK.generate(.rsa(bits: 2048))
        let key = members.publicKey.key
        let algorithms: [JWSAlgorithm] = [.rs256, .ps256, .rs512]
        let signatures = try algorithms.map { try SigningKey(members, algorithm: $0).sign(message) }
        for _ in 0..<3 {
            for (algorithm, signature) in zip(algorithms, signatures) {
                #expect(try key.isValid(signature, of: message, algorithm))
                #expect(try !key.isValid(signature, of: message + [0], algorithm))
                for other in algorithms where other != algorithm {
                    #expect(try !key.isValid(signature, of: message, other))
                }
            }
        }
    }

    @Test(arguments: [JWSAlgorithm.hs256, .es256, .edDSA])
    func `one key checks signatures for many at once`(_ algorithm: JWSAlgorithm) async throws {
        let signer = try SigningKey.generate(algorithm)
        let key = signer.key.publicKey.key
        let messages = (0..<8).map { UInt8($0) }.map { [UInt8](repeating: $0, count: 300) }
        let signatures = try messages.map { try signer.sign($0) }
        let wrong = await withTaskGroup { group in
            for (position, message) in messages.enumerated() {
                group.addTask {
                    (0..<100).count { round in
                        let other = (position + round) % messages.count
                        let isValid = try? key.isValid(signatures[other], of: message, algorithm)
                        return isValid != (other == position)
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }
}
