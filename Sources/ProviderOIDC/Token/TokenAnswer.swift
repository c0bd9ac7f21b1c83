internal import AuthKitCore

/// A successful answer of a token endpoint, read strictly (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3).
struct TokenAnswer: Sendable {
    /// A new refresh token, good whatever is wrong with the rest; nil means that the old one stays.
    let refresh: HeldToken?
    /// All tokens, expiries counted from the answer's receipt; or why none but `refresh` may be used.
    let tokens: Result<TokenSet, OIDCError>
    /// The scope granted, where the issuer says; absent means as asked (RFC 6749 §5.1).
    let scope: Scope?
    /// When it was whole.
    let receivedAt: Moment
    /// How far the issuer's clock is ahead of ours, where the exchange told.
    var clockOffset: Duration?
    /// How far this machine's clock is ahead of the issuer's `Date`; nil where a cache may have answered.
    private let clockAhead: Duration?

    /// Reads an answer; anything but success and one JSON object throws.
    ///
    /// The refresh token is read first: the old one is spent, so a new one must outlive whatever is wrong beside it.
    init(_ response: HTTPResponse, requestedScope: Scope?, failure: EndpointFailure) throws(OIDCError) {
        guard (200..<300).contains(response.status) else { throw failure.error(for: response) }
        // Some proxies call their page a success: it says nothing of what the issuer would have done.
        guard response.isJSON else { throw failure.page(response) }
        guard let object = JSONObject.reading(response.body) else {
            throw Self.unreadable("it is not one JSON object without repeated members", .sentNoAnswer)
        }
        // Some issuers answer an error with status 200; a definite one counts whatever the status.
        if object.text("access_token") == nil, failure.oauthError(in: response) != nil {
            throw failure.error(for: response)
        }
        receivedAt = response.receivedAt
        clockAhead =
            response.fields.first(named: "age") == nil
            ? response.fields.first(named: "date").flatMap(HTTPDate.parse).map { response.receivedAt.wall - $0 } : nil
        // One that came and cannot be kept is lost like the answer itself.
        let refresh = try Self.optional("refresh_token", object, .sentNoAnswer).map { value in
            HeldToken(value, type: "refresh_token", expiry: TokenLifetime.refreshExpiry(object, response.receivedAt))
        }
        let scope = object.text("scope").map { Scope($0) }
        self.refresh = refresh
        self.scope = scope
        tokens = Result { () throws(OIDCError) in
            try Self.tokens(object, refresh, scope ?? requestedScope, response.receivedAt, failure)
        }
    }

    private static func tokens(
        _ object: JSONObject,
        _ refresh: HeldToken?,
        _ scope: Scope?,
        _ receivedAt: Moment,
        _ failure: EndpointFailure
    ) throws(OIDCError) -> TokenSet {
        // With any token it was the issuer's success: what became of the refresh token is known. Without, it may be
        // something in between that answers in JSON.
        let delivery: Delivery = refresh != nil || object.has("access_token") ? .answered : .answeredUnclear
        guard let token = object.text("access_token"), isPrintable(token) else {
            throw unreadable("it has no usable access_token", delivery)
        }
        let idToken = try optional("id_token", object, delivery)
        guard let type = object.text("token_type") else { throw unreadable("it has no token_type", delivery) }
        // RFC 6749 §5.1, §7.1: compared without case; a type that is not understood must not be used.
        guard type.lowercased() == "bearer" else {
            let tokens = [Secret(token), refresh?.value, idToken].compactMap(\.self)
            throw OIDCError(
                .unsupported,
                "The token endpoint issued a token of type "
                    + "\"\(OAuthErrorBody(error: failure.scrubbed(type, of: tokens)).error)\"; "
                    + "configure the client for Bearer tokens.",
                remedy: .fixConfiguration,
                delivery: delivery
            )
        }
        let expiry = TokenLifetime.expiry(object, token: token, receivedAt: receivedAt)
        let access = HeldToken(Secret(token), type: type, expiry: expiry, scope: scope)
        return TokenSet(access: access, refresh: refresh, idToken: idToken)
    }

    /// What to say where times do not fit and the clocks are the likely reason; empty where they agree.
    var clockAdvice: String {
        guard let clockAhead, abs(clockAhead.components.seconds) > 30 else { return "" }
        let seconds = clockAhead.components.seconds
        return "; this machine's clock is \(abs(seconds)) s \(seconds > 0 ? "ahead of" : "behind") the issuer's"
    }

    /// A member that may be absent, null or empty; anything else but a printable string throws.
    private static func optional(
        _ name: String,
        _ object: JSONObject,
        _ delivery: Delivery
    ) throws(OIDCError) -> Secret? {
        guard object.has(name) else { return nil }
        guard let text = object.text(name), text.isEmpty || isPrintable(text) else {
            throw unreadable("its \(name) is no usable string", delivery)
        }
        return text.isEmpty ? nil : Secret(text)
    }

    /// RFC 6749 Appendix A.12: visible ASCII, so that no token breaks a header field.
    private static func isPrintable(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    private static func unreadable(_ why: String, _ delivery: Delivery) -> OIDCError {
        OIDCError(
            .malformedAnswer,
            "The token endpoint's answer cannot be used: \(why); check the address, or report it to the issuer.",
            remedy: .retry(after: nil),
            delivery: delivery
        )
    }
}
