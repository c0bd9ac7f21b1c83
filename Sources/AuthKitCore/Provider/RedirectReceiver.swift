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

    /// Whether it can wait on after an answer that was accepted; false where one is all that it takes.
    var canWaitAgain: Bool { get }

    /// Waits for another answer after one that was accepted and turned out to be a stranger's.
    ///
    /// `refusal` is a sentence for whoever brought that one. The page is not shown again: the person still has it.
    /// Everything else is as with `present`. Only called after that has returned, and where `canWaitAgain`.
    func waitAgain(
        refusing refusal: String,
        accepting: @escaping @Sendable (RedirectAnswer) -> Bool
    ) async throws -> RedirectAnswer

    /// Tells the person the outcome and closes; closing twice is nothing. Must be called on every path.
    func finish(_ outcome: SignInOutcome) async
}

extension RedirectReceiver {
    /// Takes one answer.
    public var canWaitAgain: Bool { false }

    /// Ends the wait.
    public func waitAgain(
        refusing refusal: String,
        accepting: @escaping @Sendable (RedirectAnswer) -> Bool
    ) async throws -> RedirectAnswer { throw CancellationError() }
}
