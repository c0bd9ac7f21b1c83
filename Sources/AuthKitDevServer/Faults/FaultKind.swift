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
    /// An ID token whose signature is not its own.
    case badSignature
    /// An ID token whose header names a key that is not published.
    case unknownKey
    /// An ID token with `"alg":"none"`.
    case unsigned
    /// An ID token that expired an hour ago.
    case expired
    /// An ID token or userinfo without `sub`.
    case missingSubject
    /// An ID token or userinfo of somebody else.
    case wrongSubject
    /// An ID token whose `at_hash` belongs to another access token.
    case wrongAccessTokenHash
    /// No ID token.
    case noIDToken
    /// No `expires_in`.
    case noExpiry

    /// An authorization response whose `iss` is another issuer (RFC 9207).
    case wrongIss
    /// An authorization response without `iss`, though it is advertised.
    case missingIss
    /// An authorization response with another state.
    case wrongState
    /// An authorization response without the state.
    case missingState

    /// Whether it makes sense at a place.
    func isPossible(at point: Fault.Point) -> Bool {
        switch self {
        case .status, .page, .emptyBody, .hang, .hangAfterCommit, .stall, .close, .closeAfterCommit, .drip: true
        case .error: [.authorize, .token, .refresh, .revoke, .introspect].contains(point)
        case .wrongIssuer: [.discovery, .token, .refresh].contains(point)
        case .wrongAudience, .wrongNonce, .badSignature, .unknownKey, .unsigned, .expired, .wrongAccessTokenHash,
            .noIDToken, .noExpiry:
            [.token, .refresh].contains(point)
        case .missingNonce: point == .token
        case .missingSubject, .wrongSubject: [.token, .refresh, .userinfo].contains(point)
        case .wrongIss, .missingIss, .wrongState, .missingState: point == .authorize
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
    ]
}

extension FaultKind: CustomStringConvertible {
    /// The kind as it is written after the point and the colon.
    public var description: String {
        switch self {
        case .status(let status, let retryAfter, let asPage):
            "\(status)" + (retryAfter.map { ";retry-after=\($0)" } ?? "") + (asPage ? ";html" : "")
        case .error(let code): "error=\(code)"
        case .hang(let seconds): "hang=\(seconds)"
        default: Self.words.first { $0.kind == self }?.word ?? ""
        }
    }
}
