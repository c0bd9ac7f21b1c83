import Testing

@testable import LoopbackHTTP

@Suite struct BrowserPageTests {
    private static let pages: [BrowserPage] = [
        .signedIn(account: "me"), .signedIn(account: nil), .failed(message: "no"), .notForThisSignIn, .alreadyAnswered,
        .over, .unknown, .signedOut, .usedUp,
    ]

    @Test(arguments: pages)
    func `a page has language, viewport, title, both colour schemes and nothing from elsewhere`(_ page: BrowserPage) {
        let html = page.html
        #expect(html.hasPrefix("<!doctype html>\n<html lang=\"en\">"))
        #expect(html.contains("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"))
        #expect(html.contains("<title>") && html.contains("<h1>"))
        #expect(html.contains("prefers-color-scheme:dark") && html.contains("color-scheme:light dark"))
        for forbidden in ["<script", "src=", "<link", "url(", "@import"] { #expect(!html.contains(forbidden)) }
    }

    @Test func `text is escaped and cannot turn its direction`() {
        #expect(HTMLText.escape("<a href=\"x\">'&\n\u{202E}b\u{7F}") == "&lt;a href=&quot;x&quot;&gt;&#39;&amp; b ")
        #expect(HTMLText.escape("Zoë 日本") == "Zoë 日本")
    }

    @Test func `long names and messages are cut`() {
        #expect(
            !BrowserPage.signedIn(account: String(repeating: "x", count: 300)).html.contains(
                String(repeating: "x", count: 201)
            )
        )
        #expect(
            !BrowserPage.failed(message: String(repeating: "x", count: 3000)).html.contains(
                String(repeating: "x", count: 1001)
            )
        )
    }
}
