/// Opens a page in the person's browser.
public protocol BrowserOpening: Sendable {
    /// Starts a browser on a URL; false when none could be started, which is never fatal.
    func open(_ url: String) async -> Bool
}
