import AuthKitCore
import Testing

@Suite struct TokenHashTests {
    // OpenID Connect Core 1.0, Appendix A.3 (ID token with at_hash) and A.4 (with c_hash).
    private let accessToken = Secret("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y")
    private let code = Secret("Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk")

    @Test func `hashes agree with OpenID Connect Core`() throws {
        #expect(TokenHash.make(of: accessToken, algorithm: .rs256) == "77QmUPtjPfzWtF2AnpK9RQ")
        #expect(TokenHash.make(of: code, algorithm: .rs256) == "LDktKdoQak3Pk0cnXxCltA")
        try TokenHash.check("77QmUPtjPfzWtF2AnpK9RQ", named: "at_hash", of: accessToken, algorithm: .rs256)
    }

    @Test func `the digest follows the algorithm`() {
        for (algorithm, count) in [(JWSAlgorithm.es256, 22), (.ps384, 32), (.rs512, 43), (.edDSA, 43), (.ed25519, 43)] {
            #expect(TokenHash.make(of: code, algorithm: algorithm).utf8.count == count)
        }
        let same = TokenHash.make(of: code, algorithm: .es512) == TokenHash.make(of: code, algorithm: .edDSA)
        #expect(same)
    }

    @Test(arguments: ["", "77QmUPtjPfzWtF2AnpK9RR", "77QmUPtjPfzWtF2AnpK9RQ=", "LDktKdoQak3Pk0cnXxCltA"])
    func `a hash of something else is refused`(_ claim: String) {
        let error = #expect(throws: JWTError.self) {
            try TokenHash.check(claim, named: "at_hash", of: accessToken, algorithm: .rs256)
        }
        #expect(error?.code == .wrongHash)
    }
}
