/// Waits for one authorization answer.
public protocol RedirectReceiver: Sendable {
    /// The redirect URI to send, with the real port.
    var redirectURI: String { get }

    /// Shows the person a URL and waits for an answer that `accepting` takes.
    ///
    /// Other answers are refused with 400 and waiting goes on; the first accepted one ends it. Cancellation ends it too.
    func present(
        _ url: String,
        accepting: @escaping @Sendable (RedirectAnswer) -> Bool
    ) async throws -> RedirectAnswer

    /// Tells the person the outcome and closes; closing twice is nothing. Must be called on every path.
    func finish(_ outcome: SignInOutcome) async
}
