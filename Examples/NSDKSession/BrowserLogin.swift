import AuthKitCore
import ProviderNiantic
import TransportCurl

/// Opens the sign-in page and takes the callback: what `LoginManager` does in the vendor's samples.
struct BrowserLogin: Sendable {
    private let access: NSDKAccess
    private let agent: CallbackUserAgent
    private let pages: AsyncStream<String>

    /// Makes one; on a phone the closure would present the page in a browser tab.
    init(_ access: NSDKAccess) {
        let (pages, continuation) = AsyncStream.makeStream(of: String.self)
        self.access = access
        self.pages = pages
        agent = CallbackUserAgent { url in continuation.yield(url) }
    }

    /// "Handle the login callback": begins, and waits for the callback.
    func startAuth() async throws -> SignInReport {
        print("3. Handle the login callback (startAuth)")
        return try await access.login(through: agent)
    }

    /// "Establish the sample session": an app hands over every URL that its system opens it with.
    ///
    /// On iOS it is called in `scene(_:openURLContexts:)`, on Android in `onNewIntent`.
    @discardableResult
    func handleCallback(url: String) -> CallbackUserAgent.Verdict {
        agent.handleCallback(url)
    }

    /// Plays the person and the system: fetches each page, and opens the app with where it leads.
    func play(over transport: any HTTPTransport) async {
        for await page in pages {
            guard let url = WebURL(page), let answer = try? await transport.send(HTTPRequest("GET", url)),
                let callback = answer.fields.first(named: "Location")
            else { continue }
            print("   the page is asked for \(url.query ?? "nothing")")
            print("   the browser comes back to \(callback.prefix { $0 != "?" })")
            print("4. Establish the sample session (handleCallback)")
            // What else is opened with the app's scheme is refused, and the wait goes on.
            let verdict = handleCallback(url: "nsdk-samples://signin/redirect?refreshToken=forged")
            print("   an address that somebody made up is \(verdict)")
            // With a token of a stranger's account the person is asked, and says no.
            handleCallback(url: "nsdk-samples://signin/redirect?refreshToken=\(Self.strangersToken)")
            while handleCallback(url: callback) == .nobodyWaits { await Task.yield() }
        }
    }

    /// `{"alg":"RS256"}` and `{"sub":"user-mallory","email":"mallory@example.org","exp":4102444800}`.
    private static let strangersToken =
        "eyJhbGciOiJSUzI1NiJ9."
        + "eyJzdWIiOiJ1c2VyLW1hbGxvcnkiLCJlbWFpbCI6Im1hbGxvcnlAZXhhbXBsZS5vcmciLCJleHAiOjQxMDI0NDQ4MDB9."
        + "c2ln"
}
