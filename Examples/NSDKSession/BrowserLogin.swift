import AuthKitCore
import ProviderNiantic
import TransportCurl

/// Opens the sign-in page and takes the callback: what `LoginManager` does in the vendor's samples.
struct BrowserLogin: Sendable {
    /// What a sign-in goes through; an app hands it every URL that its system opens it with.
    let agent: CallbackUserAgent
    private let pages: AsyncStream<String>

    /// Makes one; on a phone the closure would present the page in a browser tab.
    init() {
        let (pages, continuation) = AsyncStream.makeStream(of: String.self)
        self.pages = pages
        agent = CallbackUserAgent { url in continuation.yield(url) }
    }

    /// Plays the person and the system: fetches each page, and opens the app with where it leads.
    ///
    /// On iOS the last line is in `scene(_:openURLContexts:)`, on Android in `onNewIntent`.
    func play(over transport: any HTTPTransport) async {
        for await page in pages {
            guard let url = WebURL(page), let answer = try? await transport.send(HTTPRequest("GET", url)),
                let callback = answer.fields.first(named: "Location")
            else { continue }
            print("   the browser comes back to \(callback.prefix { $0 != "?" })")
            // What else is opened with the app's scheme is refused, and the wait goes on.
            agent.handleCallback("nsdk-samples://signin/redirect?refreshToken=forged")
            agent.handleCallback(callback)
        }
    }
}
