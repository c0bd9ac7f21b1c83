import AuthKitCore
import ProviderNiantic

/// What "Use tokens in your app" shows, line by line: an NSDK session that is handled by hand.
///
/// `NSDKAccess` does the same for each session that is subscribed.
struct TokenUse: Sendable {
    /// Where tokens come from.
    let session: Session

    /// "Use tokens in your app": made with a token, given another, asked for its end, logged out.
    func run() async throws {
        print("6. Use tokens in your app")
        let currentToken = try await session.token().token.value
        let nsdkSession = NSDKSession(accessToken: currentToken)
        print("   NSDKSession(accessToken:): a session of \(nsdkSession.getAccessAuthInfo()?.userId ?? "nobody")")

        let nextToken = try await session.token(for: TokenRequest(reason: .forced)).token.value
        nsdkSession.setAccessToken(nextToken)
        print("   setAccessToken: another token: \(nextToken != currentToken), set: \(nsdkSession.has(nextToken))")

        let end = nsdkSession.getAccessAuthInfo()?.expirationTime ?? 0
        let isSoon = isAccessExpiredOrExpiringSoon(nsdkSession)
        let isSoonLater = [60, 59].map { isAccessExpiredOrExpiringSoon(nsdkSession, now: end - $0) }
        print("   isAccessExpiredOrExpiringSoon: now \(isSoon), 60 and 59 s before the end \(isSoonLater)")

        nsdkSession.logout()
        let isSoonAfterwards = isAccessExpiredOrExpiringSoon(nsdkSession)
        print("   logout: cleared \(nsdkSession.isCleared), expired or expiring soon \(isSoonAfterwards)")
    }

    /// "Use tokens in your app": whether the token has ended or ends within the next minute.
    ///
    /// The document's own lines, with times of 64 bits.
    func isAccessExpiredOrExpiringSoon(
        _ session: NSDKSession,
        now: Int64 = SystemTime().now.wall.seconds
    ) -> Bool {
        guard let authInfo = session.getAccessAuthInfo() else { return true }

        let secondsUntilExpiry = authInfo.expirationTime - now
        return secondsUntilExpiry < 60
    }
}
