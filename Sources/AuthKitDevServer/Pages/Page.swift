import AuthKitCore
import LoopbackHTTP

/// The pages that people see: without script or anything from elsewhere, in light and dark.
enum Page {
    /// One heading and one sentence.
    static func message(_ heading: String, _ sentence: String, status: Int = 200) -> ServerResponse {
        render(heading, "<h1>\(heading)</h1><p>\(sentence)</p>", status: status)
    }

    /// What went wrong, where the browser cannot be sent back.
    static func problem(_ heading: String, _ sentence: String) -> ServerResponse {
        message(heading, sentence, status: 400)
    }

    /// A decision that was made already.
    static let usedTwice = problem("This page was used already", "Go back to the application.")

    /// What a portal or a broken gateway shows.
    static func outOfOrder(status: Int) -> ServerResponse {
        message("Out of order", "This is not the answer that you are looking for.", status: status)
    }

    /// There is nothing here.
    static func notFound(index: String) -> ServerResponse {
        render(
            "Nothing here",
            "<h1>Nothing here</h1><p>See <a href=\"\(index)\">what this issuer offers</a>.</p>",
            status: 404
        )
    }

    /// Wraps a body in the one layout.
    ///
    /// `formNonce` allows the one script of that nonce.
    static func render(_ title: String, _ body: HTML, status: Int = 200, scriptNonce: String? = nil) -> ServerResponse {
        let page: HTML = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>\(title)</title><style>\(style)</style></head>
            <body><main>\(body)</main><footer>AuthKit development issuer: for tests only</footer></body></html>

            """
        var response = ServerResponse.html(page.text, status: status)
        let script = scriptNonce.map { "; script-src 'nonce-\($0)'" } ?? ""
        response.fields += [
            HTTPField("Cache-Control", "no-store"),
            HTTPField("Referrer-Policy", "no-referrer"),
            HTTPField("X-Content-Type-Options", "nosniff"),
            HTTPField(
                "Content-Security-Policy",
                "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'\(script)"
            ),
        ]
        return response
    }

    private static let style: HTML = """
        :root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
        body{margin:0;min-height:100vh;display:grid;place-content:center;background:light-dark(#f3f4f7,#15171c)}
        main{width:min(34rem,calc(100vw - 5rem));padding:1.5rem 2rem 2rem;border-radius:1rem;
        background:light-dark(#fff,#20232b);box-shadow:0 1px 12px rgb(0 0 0/.12)}
        h1{font-size:1.35rem}h2{font-size:1rem;margin:1.2rem 0 .3rem}li,td{overflow-wrap:anywhere}
        ul{margin:.3rem 0;padding-left:1.2rem}td{padding:.1rem .8rem .1rem 0;vertical-align:top}
        label{display:block;margin:1rem 0 .3rem}
        input{width:100%;box-sizing:border-box;font:inherit;padding:.5rem .7rem;border-radius:.5rem;border:1px solid #888}
        button{font:inherit;padding:.5rem 1.4rem;margin:1.2rem .6rem 0 0;border-radius:.5rem;border:1px solid #888;cursor:pointer}
        button.main{background:#2257d6;border-color:#2257d6;color:#fff}
        .warning{color:light-dark(#a11,#f99)}footer{text-align:center;margin:1rem;opacity:.6;font-size:.8rem}
        """
}
