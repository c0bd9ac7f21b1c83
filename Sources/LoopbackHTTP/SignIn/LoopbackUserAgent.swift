public import AuthKitCore

/// Shows the issuer's pages in the person's browser and receives the answer on loopback (RFC 8252).
public struct LoopbackUserAgent: UserAgent {
    private let announce: @Sendable (String) -> Void
    private let browser: (any BrowserOpening)?
    private let site: SignInSite?
    private let time: any TimeSource

    /// Takes what is told the URL, and the browser that opens it; without one the person does.
    ///
    /// `announce` is called before the browser is tried, so that a browser that does not start harms nothing.
    /// `time` counts how long the browser's page waits for the outcome. `site` is for sign-in pages that do more than
    /// redirect.
    public init(
        announce: @escaping @Sendable (String) -> Void,
        browser: (any BrowserOpening)? = nil,
        site: SignInSite? = nil,
        time: any TimeSource = SystemTime()
    ) {
        self.announce = announce
        self.browser = browser
        self.site = site
        self.time = time
    }

    /// Listens at the first redirect URI whose port can be had; each must be `http` on loopback to count.
    ///
    /// Throws `portBusy` or `cannotListen` naming every port tried, `unsupportedRedirect` when none counts.
    public func prepare(_ redirects: [String]) async throws -> any RedirectReceiver {
        let usable = redirects.compactMap(LoopbackRedirect.init)
        guard !usable.isEmpty else {
            let named = redirects.isEmpty ? "there is none" : redirects.joined(separator: ", ")
            throw LoopbackError(
                .unsupportedRedirect,
                "No redirect URI can be received here (\(named)): configure one like http://127.0.0.1:0/callback."
            )
        }
        var failures: [LoopbackError] = []
        for redirect in usable {
            do {
                return try LoopbackReceiver.listen(
                    for: redirect,
                    announce: announce,
                    browser: browser,
                    site: site,
                    time: time
                )
            } catch let error where error.reason == .libraryMissing {
                throw error
            } catch {
                failures.append(error)
            }
        }
        if failures.count == 1 { throw failures[0] }
        let places = usable.map { "\($0.host):\($0.port)" }.joined(separator: ", ")
        throw LoopbackError(
            failures.contains { $0.reason == .portBusy } ? .portBusy : .cannotListen,
            "None of \(places) can be listened on: end the programs that have these ports or configure another redirect URI."
        )
    }
}
