internal import LoopbackHTTP

/// A browser whose failure to start is told, so that nobody waits for a window that does not come.
struct ToldBrowser: BrowserOpening {
    private let browser: any BrowserOpening
    private let console: Console

    /// Takes the browser, and where to tell.
    init(_ browser: any BrowserOpening, console: Console) {
        self.browser = browser
        self.console = console
    }

    func open(_ url: String) async -> Bool {
        let isOpen = await browser.open(url)
        if !isOpen, !Task.isCancelled { console.insist("No browser could be started; open the address above.") }
        return isOpen
    }
}
