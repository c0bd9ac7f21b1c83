import Testing

@testable import AuthKitDevServer

@Suite struct HTMLTests {
    @Test func `what comes from outside can neither be markup nor turn its direction`() {
        let name = "<b title=\"x\">'&\n\u{202E}c\u{7F}"
        let html: HTML = "<p>\(name)</p>"
        #expect(html.text == "<p>&lt;b title=&quot;x&quot;&gt;&#39;&amp; c </p>")
        let whole: HTML = "<div>\(html)</div>"
        #expect(whole.text == "<div>\(html.text)</div>")
    }
}
