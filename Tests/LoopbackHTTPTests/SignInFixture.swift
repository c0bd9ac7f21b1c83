import AuthKitCore
import AuthKitTesting

@testable import LoopbackHTTP

/// A receiver on a free port that waits for an answer with the state `s1`.
struct SignInFixture {
    let receiver: any RedirectReceiver
    let port: UInt16
    let time = ManualTime()
    private let announcements = Latch<String>()

    init(
        _ redirects: [String] = ["http://127.0.0.1:0/callback"],
        browser: (any BrowserOpening)? = nil,
        site: SignInSite? = nil
    ) async throws {
        let announcements = announcements
        let agent = LoopbackUserAgent(announce: { announcements.open($0) }, browser: browser, site: site, time: time)
        receiver = try await agent.prepare(redirects)
        port = WebURL(receiver.redirectURI).flatMap { UInt16(exactly: $0.port) } ?? 0
    }

    /// Waits for the answer in a task of its own and returns once the gate is open.
    func present() async -> Task<RedirectAnswer, any Error> {
        let task = Task { [receiver] in
            try await receiver.present("https://issuer.example/authorize?state=s1") { $0.single("state") == "s1" }
        }
        await announced()
        return task
    }

    /// Waits until the gate is open.
    func announced() async { _ = await announcements.wait() }

    var announcement: String? { announcements.value }

    /// The browser comes back with an answer; its page is held until `finish`.
    func comeBack(_ query: String = "state=s1&code=c1") -> Task<RawResponse, any Error> {
        Task { [port] in try await RawClient.request("GET", "/callback?\(query)", port: port) }
    }
}
