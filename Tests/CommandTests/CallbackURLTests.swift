import AuthKitCore
import Testing

@testable import authkit_cli

@Suite struct CallbackURLTests {
    @Test(arguments: [
        "", "x", ":x", "1a:/b", "a b:/c", "a:/b c", "a:/b%2", "a:/b%zz", "a:/ü", "a:/<b>", "a:", "a:/b\n", "a:/b\u{0}",
    ])
    func `what is no URI is refused`(_ text: String) {
        #expect(CallbackURL(text) == nil)
    }

    @Test func `a URI beyond 64 KiB is refused`() {
        #expect(CallbackURL("a:/" + String(repeating: "x", count: 65_533)) != nil)
        #expect(CallbackURL("a:/" + String(repeating: "x", count: 65_534)) == nil)
    }

    @Test func `it belongs to a redirect URI that is the same up to the query`() throws {
        let url = try #require(CallbackURL("COM.example.app:/cb?code=1&state=2#_=_"))
        #expect(url.belongs(to: "com.example.app:/cb"))
        #expect(!url.belongs(to: "com.example.app:/cb2"))
        #expect(!url.belongs(to: "com.example.app:/"))
        #expect(!url.belongs(to: "com.example.other:/cb"))
        #expect(url.answer?.single("code") == "1")
        #expect(url.answer?.single("state") == "2")
    }

    @Test func `schemes of others are not private-use`() {
        #expect(CallbackURL("https://a.example/")?.isPrivateUse == false)
        #expect(CallbackURL("javascript:alert(1)")?.isPrivateUse == false)
        #expect(CallbackURL("com.example:/x")?.isPrivateUse == true)
    }
}
