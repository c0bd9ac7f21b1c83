import AuthKitCore
import Testing

@Suite struct DPoPAddressTests {
    private func refusal(of claim: String, at address: String) throws -> JWTError.Code? {
        let url = try #require(WebURL(address))
        let policy = JWTPolicy.dpopProof(method: "GET", url: url, accessToken: nil, nonce: nil)
        return try TokenKind.dpopProof.refusal(by: policy) { $0["htu"] = .string(claim) }
    }

    @Test(arguments: [
        ("https://a.example/x", "https://a.example/x"), ("HTTPS://A.example/x", "https://a.EXAMPLE/x"),
        ("https://a.example:443/x", "https://a.example/x"), ("http://a.example:80", "http://a.example/"),
        ("https://a.example", "https://a.example/"), ("https://a.example/x?y=1#z", "https://a.example/x?q"),
        ("https://a.example/x#z", "https://a.example/x"), ("https://a.example/%7Ex", "https://a.example/~x"),
        ("https://a.example/%2f", "https://a.example/%2F"), ("https://a.example/a/./b/../c", "https://a.example/a/c"),
        ("https://a.example/a/..", "https://a.example/"), ("https://a.example/a/.", "https://a.example/a/"),
        ("https://a.example/%2E%2e/x", "https://a.example/x"), ("https://a.example/../../x", "https://a.example/x"),
        ("https://[::1]:8443/x", "https://[::1]:8443/x"),
    ])
    func `addresses that mean the same are the same`(_ claim: String, _ address: String) throws {
        #expect(try refusal(of: claim, at: address) == nil)
    }

    @Test(arguments: [
        ("http://a.example/x", "https://a.example/x"), ("https://b.example/x", "https://a.example/x"),
        ("https://a.example:8443/x", "https://a.example/x"), ("https://a.example/X", "https://a.example/x"),
        ("https://a.example/x/", "https://a.example/x"), ("https://a.example/a%2Fb", "https://a.example/a/b"),
        ("https://a.example//x", "https://a.example/x"), ("https://a.example/a/..", "https://a.example/a"),
        ("https://a.example.evil/x", "https://a.example/x"), ("https://a.example/..x", "https://a.example/x"),
    ])
    func `addresses that differ are refused`(_ claim: String, _ address: String) throws {
        #expect(try refusal(of: claim, at: address) == .wrongClaim)
    }

    @Test(arguments: [
        "/x", "a.example/x", "ftp://a.example/x", "https://user@a.example/x", "https://a.example/%zz", " ",
    ])
    func `what is not an address of the web is refused`(_ claim: String) throws {
        #expect(try refusal(of: claim, at: "https://a.example/x") == .malformedClaims)
    }
}
