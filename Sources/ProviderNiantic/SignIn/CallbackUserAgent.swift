public import AuthKitCore

/// A user agent for an app that opens pages itself and is handed callback URLs by its system.
///
/// One sign-in waits at a time. A URL that comes while none waits, that is not exactly the redirect address, or that
/// the sign-in does not take, changes nothing: the wait goes on. One that is taken is tried, and where the service
/// refuses its token the wait goes on as well.
public final class CallbackUserAgent: UserAgent {
    /// What became of a URL that was handed over.
    public enum Verdict: Sendable, Hashable {
        /// It is tried.
        case accepted
        /// It does not belong to the sign-in that waits.
        case refused
        /// No sign-in waits, or the one that did tries a callback that came before.
        case nobodyWaits
    }

    private let wait = Guarded<CallbackWait?>(nil)
    private let open: @Sendable (_ url: String) async throws -> Void

    /// Takes what shows a page to the person; it is told the sign-in page's address, which holds no secret.
    public init(open: @escaping @Sendable (_ url: String) async throws -> Void) {
        self.open = open
    }

    /// Waits for the first redirect URI that is a scheme's; throws when none is, or when a sign-in waits already.
    public func prepare(_ redirects: [String]) async throws -> any RedirectReceiver {
        guard let redirect = redirects.first(where: { WebURL($0) == nil && $0.contains("://") }),
            let scheme = redirect.split(separator: ":").first.map(String.init),
            CallbackAddress(scheme: scheme).text == redirect
        else {
            throw NianticError.configuration(
                "No redirect URI is a scheme's callback; configure a scheme's redirect type."
            )
        }
        let next = CallbackWait(address: CallbackAddress(scheme: scheme), open: open)
        let isFree = wait.withLock { wait in
            guard wait?.isOver ?? true else { return false }
            wait = next
            return true
        }
        guard isFree else {
            throw NianticError(
                .requestRefused,
                "A sign-in is waiting already; finish or cancel that one first.",
                remedy: .retry(after: nil)
            )
        }
        return next
    }

    /// Takes a URL that the system handed to the app.
    @discardableResult
    public func handleCallback(_ url: String) -> Verdict {
        guard let wait = wait.withLock({ $0 }), wait.isWaiting else { return .nobodyWaits }
        return wait.offer(url) ? .accepted : .refused
    }
}
