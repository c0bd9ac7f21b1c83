import AuthKitCore

extension ServerResponse {
    /// A page, guarded.
    static func page(_ page: BrowserPage, status: Int = 200) -> Self {
        guarded(.html(page.html, status: status))
    }

    /// An answer that is not stored, leaks no address, runs nothing and is framed by nobody.
    ///
    /// RFC 9700 §4.2.4 (no referrer: the address carries a code), RFC 9111 §5.2.2.5, Content Security Policy 3.
    static func guarded(_ response: ServerResponse) -> Self {
        var response = response
        response.fields += [
            HTTPField("Cache-Control", "no-store"),
            HTTPField("Referrer-Policy", "no-referrer"),
            HTTPField("X-Content-Type-Options", "nosniff"),
            HTTPField(
                "Content-Security-Policy",
                "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
                    + "frame-ancestors 'none'"
            ),
        ]
        return response
    }
}
