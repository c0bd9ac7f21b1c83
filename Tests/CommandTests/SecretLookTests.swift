import Testing

@testable import authkit_cli

@Suite struct SecretLookTests {
    private static let header = "eyJhbGciOiJFUzI1NiJ9"

    @Test(
        arguments: [
            ("\(header).e30.AA", .token), ("Bearer \(header).e30.AA", .token), ("--\(header).e30.AA", .token),
            ("\(header).e30", .token), (header, .token), ("e30.e30.", .token), ("\(header).a.b.c.d", .token),
            ("access_token=\(header).e30.AA&x", .token), ("/home/\(header).e30.AA", .token),
            (EdDSAExample.privateKey, .key), ("--key={\"kty\":\"oct\"}", .key), (" [{\"kty\":1}]", .key),
            ("-----BEGIN PRIVATE KEY-----\nMC4=", .key), ("{}", .json), ("\n [1]", .json), ("x{\"a\":1}", .json),
            ("http://user:pw@host/", .address), ("https://pat@host", .address), ("user:pw@host", .address),
            ("https://user:p/w@host/", .address), ("GYgcnQ0vQmS8nZ7mGzVb", .randomWord),
            ("0123456789abcdef0123456789abcdef", .randomWord), ("x GYgcnQ0vQm+8nZ7mGzVb= y", .randomWord),
        ] as [(String, SecretLook)]
    )
    func `what may be a secret is known by its form`(_ text: String, _ look: SecretLook) {
        #expect(SecretLook(text) == look)
        #expect(!SafeText.quoted(text).contains("\""))
    }

    @Test(arguments: [
        "", "-", "work", "alice@example.com", "https://issuer.example:8443/tenant", "https://host/@me", "key.prod.jwk",
        "www.example.com", "1.2.3", "RSA-OAEP-256", "eyes", "eyeglasses-and-more.example.com.", "keys/private.pem",
        "/tmp/authkit-550E8400-E29B-41D4-a716-446655440000/key.jwk", "550e8400-e29b-41d4-a716-446655440000",
        "urn:ietf:params:oauth:grant-type:token-exchange", "Aud1", "openid profile offline_access",
    ])
    func `what people type is shown`(_ text: String) {
        #expect(SecretLook(text) == nil)
    }

    @Test func `a quoted text is short and keeps the values of a query to itself`() {
        #expect(SafeText.quoted(String(repeating: "a", count: 40)) == "\"\(String(repeating: "a", count: 40))\"")
        #expect(SafeText.quoted(String(repeating: "a", count: 41)) == "\"\(String(repeating: "a", count: 40))…\"")
        #expect(SafeText.quoted("https://a.example/cb?code=hush") == "\"https://a.example/cb…\"")
    }
}
