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

    /// The answer with what lets the scripts of one origin read it, and ask from the public network at all.
    ///
    /// Fetch Standard, "CORS protocol"; Private Network Access §3.2, for browsers that ask before they let a page of the
    /// network talk to this machine.
    func readable(from origin: String) -> Self {
        var response = self
        response.fields += [
            HTTPField("Access-Control-Allow-Origin", origin),
            HTTPField("Access-Control-Allow-Credentials", "true"),
            HTTPField("Access-Control-Allow-Methods", "GET"),
            HTTPField("Access-Control-Allow-Private-Network", "true"),
            HTTPField("Vary", "Origin"),
        ]
        return response
    }
}
