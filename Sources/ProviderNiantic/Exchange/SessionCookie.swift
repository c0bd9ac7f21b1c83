internal import AuthKitCore

/// What an answer says of the session token by its cookies.
enum SessionCookie: Sendable {
    /// Nothing: the one that was sent stays.
    case unchanged
    /// It has a successor.
    case rotated(HeldToken)
    /// It was taken back: an empty or ended cookie, and no other.
    case deleted

    /// Reads the cookies of an answer.
    ///
    /// A later cookie replaces an earlier one of the same domain and path (RFC 6265 §5.3). Of those that are left the
    /// last live one counts: a server that moves a cookie deletes it at its old place.
    static func read(_ response: HTTPResponse) -> SessionCookie {
        var left: [SetCookie] = []
        for cookie in SetCookie.all(of: response) where cookie.name == IdentityEndpoint.cookieName {
            left.removeAll { $0.place == cookie.place }
            left.append(cookie)
        }
        // One that cannot be sent again is none: what was sent before is then the best there is.
        let usable = left.filter { $0.end == .deleted || JSONAnswer.isToken($0.value) && !$0.value.contains(";") }
        if usable.count < left.count { Trace.note("A session cookie that cannot be sent again is ignored.") }
        guard let live = usable.last(where: { $0.end != .deleted }) else {
            return usable.isEmpty ? .unchanged : .deleted
        }
        let token = Secret(live.value)
        var expiry = AnswerExpiry.ofRenewable(token)
        if case .at(let end) = live.end { expiry = expiry.orEarlier(at: end) }
        return .rotated(HeldToken(token, type: NianticProvider.sessionType, expiry: expiry))
    }
}
