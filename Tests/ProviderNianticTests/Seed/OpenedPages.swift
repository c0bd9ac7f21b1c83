/// A browser that only tells which page was opened: the callback is handed over by the test, as a system would.
final class OpenedPages: Sendable {
    private let urls: AsyncStream<String>
    private let opened: AsyncStream<String>.Continuation

    init() { (urls, opened) = AsyncStream.makeStream() }

    func open(_ url: String) { opened.yield(url) }

    /// Waits for the next page.
    func next() async -> String? {
        for await url in urls { return url }
        return nil
    }
}
