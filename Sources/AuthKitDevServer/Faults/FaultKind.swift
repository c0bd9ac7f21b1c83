/// How an endpoint misbehaves.
public enum FaultKind: Sendable, Hashable {
    /// A status such as 503, with nothing done; with `Retry-After` in seconds, and as a web page instead of JSON.
    case status(Int, retryAfter: Int? = nil, asPage: Bool = false)
    /// An OAuth error of that code, with nothing done.
    case error(String)
    /// Status 200 and a web page, with nothing done: a portal in between.
    case page
    /// Status 200 and an empty body, after everything was done.
    case emptyBody
    /// Everything is done at once; the answer comes after so many seconds.
    case hang(seconds: Int)
    /// Everything is done; the answer never comes.
    case hangAfterCommit
    /// Nothing is done and no answer comes.
    case stall
    /// The connection is closed without an answer, with nothing done.
    case close
    /// The connection is closed without an answer, after everything was done.
    case closeAfterCommit
    /// The right answer, a few bytes at a time.
    case drip

    /// Another issuer: in the metadata, or in the ID token.
    case wrongIssuer
    /// An ID token for another client.
    case wrongAudience
    /// An ID token with another nonce.
    case wrongNonce
    /// An ID token without the nonce.
    case missingNonce
    /// An ID token, or one of the NSDK's, whose signature is not its own.
    case badSignature
    /// An ID token, or one of the NSDK's, whose header names a key that is not published.
    case unknownKey
    /// An ID token, or one of the NSDK's, with `"alg":"none"`.
    case unsigned
    /// An ID token, or one of the NSDK's, that expired an hour ago by its own `exp`; what the answer says stays.
    case expired
    /// An ID token or userinfo without `sub`; a token of the NSDK's that names nobody at all.
    case missingSubject
    /// An ID token, userinfo or session token of somebody else.
    case wrongSubject
    /// An ID token whose `at_hash` belongs to another access token.
    case wrongAccessTokenHash
    /// No ID token.
    case noIDToken
    /// No lifetime in the answer: no `expires_in`, no `expiresAt`.
    case noExpiry

    /// An authorization response whose `iss` is another issuer (RFC 9207).
    case wrongIss
    /// An authorization response without `iss`, though it is advertised.
    case missingIss
    /// An authorization response with another state.
    case wrongState
    /// An authorization response without the state.
    case missingState

    /// A status with `Retry-After` as a date so many seconds ahead.
    case busyUntil(Int, seconds: Int)
    /// The token that was sent stays good, and none comes with the answer.
    case unrotated
    /// The token that was sent stays good, and comes back with the answer.
    case sameToken
    /// The session token was rotated, and the answer lost its cookie.
    case noCookie
    /// The session ends: an empty cookie.
    case emptyCookie
    /// The session ends: a cookie with `Max-Age=0`.
    case deletedCookie
    /// The session ends: a cookie whose `Expires` has passed.
    case endedCookie
    /// The cookie stands among others, and its name is deleted at another path.
    case severalCookies
    /// The same in one field, joined by commas.
    case foldedCookies
    /// The cookie's name in other letters.
    case oddCookieName
    /// Step 2 rotates the session token as well.
    case rotatesSession
    /// The NSDK refresh token was rotated, and the answer lost its successor.
    case noRefreshToken
    /// `expiresAt`, or the back end's `expiresIn`, with a fraction.
    case fractionalExpiry
    /// `expiresAt`, or the back end's `expiresIn`, as digits in a string.
    case textExpiry
    /// `expiresAt` in milliseconds.
    case millisecondExpiry
    /// `expiresAt`, or the back end's `expiresIn`, as words.
    case oddExpiry
    /// `expiresAt` half as far away as the token's own end.
    case earlierExpiry
    /// `expiresAt` twice as far away as the token's own end.
    case laterExpiry
    /// The back end's `expiresAt` in the place of `expiresIn`.
    case endInstead
    /// Half a JSON document, or a callback whose token is none, after everything was done.
    case malformed
    /// An answer, or a callback, without its token, after everything was done.
    case noToken
    /// A success that says `error`, with nothing done.
    case errorInSuccess
    /// A refusal whose `error` is an object with `code` and `message`, with nothing done.
    case errorObject
    /// A refusal with `error_description` beside `error`, with nothing done.
    case errorDescription
    /// A refusal with `message` beside `error`, with nothing done.
    case errorMessage
    /// A refusal with `error_description` alone, with nothing done.
    case descriptionAlone
    /// A refusal with `message` alone, with nothing done.
    case messageAlone
    /// A refusal whose `error` is an object with a number for its `code`, with nothing done.
    case errorNumber
    /// A refusal in plain text, with nothing done.
    case plainError
    /// A refusal without a body, with nothing done.
    case emptyError
    /// A refusal whose `error` repeats what was sent, with nothing done.
    case errorEcho
    /// A sign-in that failed and says nothing of why.
    case bareFailure

    /// A token without `exp`.
    case missingExp
    /// A token whose `exp` has a fraction.
    case fractionalExp
    /// A token whose `exp` is digits in a string.
    case textExp
    /// Nobody says when the token ends: neither the answer nor the token itself.
    case noEnd
    /// The answer has `expiresIn` and nothing else says when the token ends.
    case lifetimeOnly
    /// A token that is no JWT, and good all the same.
    case opaqueToken
    /// A token whose `aud` is an array.
    case severalAudiences
    /// A token with a subject and without `name` and `email`.
    case noNames
    /// A token that names its user under this claim, and not under `sub`.
    case userIDClaim(String)
    /// The `Date` of the answer, and the times in it and in its tokens, by a clock that is so many seconds ahead.
    case skewed(seconds: Int)

    /// Whether it makes sense at a place.
    func isPossible(at point: Fault.Point) -> Bool {
        switch self {
        case .status, .busyUntil, .page, .emptyBody, .hang, .hangAfterCommit, .stall, .close, .closeAfterCommit, .drip:
            true
        case .error:
            [.authorize, .token, .refresh, .revoke, .introspect, .nianticSignIn].contains(point)
                || Fault.Point.nianticExchanges.contains(point)
        case .wrongIssuer: [.discovery, .token, .refresh].contains(point)
        case .wrongAudience, .wrongNonce, .wrongAccessTokenHash, .noIDToken: [.token, .refresh].contains(point)
        case .badSignature, .unknownKey, .unsigned, .expired:
            [.token, .refresh].contains(point) || Fault.Point.nianticTokens.contains(point)
        case .noExpiry: [.token, .refresh].contains(point) || Fault.Point.nianticExchanges.contains(point)
        case .missingNonce: point == .token
        case .missingSubject:
            [.token, .refresh, .userinfo].contains(point) || Fault.Point.nianticTokens.contains(point)
        case .wrongSubject: [.token, .refresh, .userinfo, .nianticRotate, .nianticSignIn].contains(point)
        case .wrongIss, .missingIss, .wrongState, .missingState: point == .authorize
        case .unrotated, .sameToken: [.nianticRotate, .nianticAccess].contains(point)
        case .noCookie, .severalCookies, .foldedCookies, .oddCookieName: point == .nianticRotate
        case .emptyCookie, .deletedCookie, .endedCookie: [.nianticRotate, .nianticRefresh].contains(point)
        case .rotatesSession: point == .nianticRefresh
        case .noRefreshToken: point == .nianticAccess
        case .fractionalExpiry, .textExpiry, .oddExpiry: Fault.Point.nianticExchanges.contains(point)
        // The back end tells a lifetime, and one in milliseconds looks like a long one in seconds.
        case .millisecondExpiry, .earlierExpiry, .laterExpiry:
            Fault.Point.nianticSteps.contains(point) || point == .nianticKey
        case .endInstead: point == .nianticBackend
        case .malformed: point == .nianticSignIn || Fault.Point.nianticExchanges.contains(point)
        case .noToken:
            [.nianticSignIn, .nianticRefresh, .nianticAccess, .nianticKey, .nianticBackend].contains(point)
        case .errorInSuccess, .errorObject, .errorDescription, .errorMessage, .descriptionAlone, .messageAlone,
            .errorNumber, .plainError, .emptyError, .errorEcho, .noEnd, .lifetimeOnly:
            Fault.Point.nianticExchanges.contains(point)
        case .missingExp, .fractionalExp, .textExp, .opaqueToken, .severalAudiences, .noNames, .userIDClaim, .skewed:
            Fault.Point.nianticTokens.contains(point)
        case .bareFailure: point == .nianticSignIn
        }
    }

    /// The kinds that are one word, by that word.
    static let words: [(word: String, kind: FaultKind)] = [
        ("html", .page), ("empty-body", .emptyBody), ("hang-after-commit", .hangAfterCommit), ("stall", .stall),
        ("close", .close), ("close-after-commit", .closeAfterCommit), ("drip", .drip),
        ("wrong-issuer", .wrongIssuer), ("wrong-aud", .wrongAudience), ("wrong-nonce", .wrongNonce),
        ("missing-nonce", .missingNonce), ("bad-signature", .badSignature), ("unknown-kid", .unknownKey),
        ("alg-none", .unsigned), ("expired", .expired), ("missing-sub", .missingSubject),
        ("wrong-sub", .wrongSubject), ("wrong-at-hash", .wrongAccessTokenHash), ("no-id-token", .noIDToken),
        ("no-expires-in", .noExpiry), ("wrong-iss", .wrongIss), ("missing-iss", .missingIss),
        ("wrong-state", .wrongState), ("missing-state", .missingState),
        ("unrotated", .unrotated), ("same-token", .sameToken), ("no-cookie", .noCookie),
        ("empty-cookie", .emptyCookie), ("deleted-cookie", .deletedCookie), ("ended-cookie", .endedCookie),
        ("several-cookies", .severalCookies), ("folded-cookies", .foldedCookies), ("odd-cookie-name", .oddCookieName),
        ("rotates-session", .rotatesSession), ("no-refresh-token", .noRefreshToken),
        ("fractional-expiry", .fractionalExpiry), ("text-expiry", .textExpiry),
        ("millisecond-expiry", .millisecondExpiry), ("odd-expiry", .oddExpiry), ("earlier-expiry", .earlierExpiry),
        ("later-expiry", .laterExpiry), ("expires-at", .endInstead), ("malformed", .malformed),
        ("no-token", .noToken), ("error-in-success", .errorInSuccess), ("error-object", .errorObject),
        ("error-description", .errorDescription), ("error-message", .errorMessage),
        ("description-alone", .descriptionAlone), ("message-alone", .messageAlone), ("error-number", .errorNumber),
        ("plain-error", .plainError), ("empty-error", .emptyError), ("error-echo", .errorEcho),
        ("bare-failure", .bareFailure), ("no-exp", .missingExp), ("fractional-exp", .fractionalExp),
        ("text-exp", .textExp), ("no-end", .noEnd), ("lifetime-only", .lifetimeOnly), ("opaque", .opaqueToken),
        ("several-aud", .severalAudiences), ("no-names", .noNames),
    ]
}

extension FaultKind: CustomStringConvertible {
    /// The kind as it is written after the point and the colon.
    public var description: String {
        switch self {
        case .status(let status, let retryAfter, let asPage):
            "\(status)" + (retryAfter.map { ";retry-after=\($0)" } ?? "") + (asPage ? ";html" : "")
        case .busyUntil(let status, let seconds): "\(status);retry-date=\(seconds)"
        case .error(let code): "error=\(code)"
        case .hang(let seconds): "hang=\(seconds)"
        case .userIDClaim(let name): "user-id=\(name)"
        case .skewed(let seconds): "skew=\(seconds)"
        default: Self.words.first { $0.kind == self }?.word ?? ""
        }
    }
}
