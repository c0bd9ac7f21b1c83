import Testing

@testable import AuthKitCore

@Suite struct ProofCacheTests {
    @Test func `of too many origins the one that was not used for longest goes`() {
        let cache = ProofCache()
        for number in 0..<64 { cache.keep("nonce", of: "https://\(number).example:443") }
        #expect(cache.nonce(of: "https://0.example:443") == "nonce")
        cache.keep("nonce", of: "https://64.example:443")
        #expect(cache.nonce(of: "https://0.example:443") == "nonce")
        #expect(cache.nonce(of: "https://1.example:443") == nil)
    }

    @Test func `the newest nonce of an origin counts`() {
        let cache = ProofCache()
        cache.keep("one", of: "https://a.example:443")
        cache.keep("two", of: "https://a.example:443")
        #expect(cache.nonce(of: "https://a.example:443") == "two")
    }
}
