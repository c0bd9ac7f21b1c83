import AuthKitCore
import ProviderNiantic
import Synchronization

/// Stands for the NSDK's own session, which is not for Linux: it is given access tokens and tells what they say.
///
/// The names are those of the document, so that its lines can be found again.
final class NSDKSession: AccessTokenConsumer {
    private let token: Mutex<Secret>

    /// "Use tokens in your app": makes a session, with a token where there is one already.
    init(accessToken: Secret = Secret("")) {
        token = Mutex(accessToken)
    }

    /// "Use tokens in your app": takes the token to use from now on; an empty one clears it.
    func setAccessToken(_ token: Secret) {
        self.token.withLock { $0 = token }
    }

    /// "Use tokens in your app": what the present token says of itself; nil where there is none.
    func getAccessAuthInfo() -> AuthInfo? { AuthInfo(accessToken: token.withLock { $0 }) }

    /// "Use tokens in your app": forgets the token, which keeps the NSDK from everything until there is another.
    func logout() { setAccessToken(Secret("")) }

    /// Whether the token is this one.
    func has(_ other: Secret) -> Bool { token.withLock { $0 } == other }

    /// Whether there is no token.
    var isCleared: Bool { has(Secret("")) }
}
