internal import AuthKitCore

/// A successful answer of a token endpoint, read strictly (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3).
struct TokenAnswer: Sendable {
    /// The access token, its expiry counted from the answer's receipt.
    let access: HeldToken
    /// A new refresh token; nil means that the old one stays.
    let refresh: HeldToken?
    /// The ID token, not believed yet.
    let idToken: Secret?
    /// The scope granted, where the issuer says; absent means as asked (RFC 6749 §5.1).
    let scope: Scope?
    /// When it was whole.
    let receivedAt: Moment
    /// How far this machine's clock is ahead of the issuer's `Date`; nil where a cache may have answered.
    private let clockAhead: Duration?

    /// Reads an answer; anything but success and a JSON object with a Bearer token throws.
    init(_ response: HTTPResponse, requestedScope: Scope?, failure: EndpointFailure) throws(OIDCError) {
        guard (200..<300).contains(response.status) else { throw failure.error(for: response) }
        guard response.isJSON else {
            throw Self.unreadable("it is \(response.mediaType ?? "of no type") instead of JSON")
        }
        guard let object = JSONObject.reading(response.body) else {
            throw Self.unreadable("it is not one JSON object without repeated members")
        }
        // Some issuers answer an error with status 200; a definite one counts whatever the status.
        if object.text("access_token") == nil, failure.oauthError(in: response) != nil {
            throw failure.error(for: response)
        }
        guard let token = object.text("access_token"), Self.isPrintable(token) else {
            throw Self.unreadable("it has no usable access_token")
        }
        guard let type = object.text("token_type") else { throw Self.unreadable("it has no token_type") }
        // RFC 6749 §5.1, §7.1: compared without case; a type that is not understood must not be used.
        guard type.lowercased() == "bearer" else {
            throw OIDCError(
                .unsupported,
                "The token endpoint issued a token of type \"\(OAuthErrorBody(error: type).error)\"; "
                    + "configure the client for Bearer tokens.",
                remedy: .fixConfiguration,
                delivery: .sentNoAnswer
            )
        }
        receivedAt = response.receivedAt
        clockAhead =
            response.fields.first(named: "age") == nil
            ? response.fields.first(named: "date").flatMap(HTTPDate.parse).map { response.receivedAt.wall - $0 } : nil
        scope = object.text("scope").map { Scope($0) }
        access = HeldToken(
            Secret(token),
            type: type,
            expiry: TokenLifetime.expiry(object, token: token, receivedAt: response.receivedAt),
            scope: scope ?? requestedScope
        )
        refresh = try Self.optional("refresh_token", object).map { value in
            HeldToken(value, type: "refresh_token", expiry: TokenLifetime.refreshExpiry(object, response.receivedAt))
        }
        idToken = try Self.optional("id_token", object)
    }

    /// What to say where times do not fit and the clocks are the likely reason; empty where they agree.
    var clockAdvice: String {
        guard let clockAhead, abs(clockAhead.components.seconds) > 30 else { return "" }
        let seconds = clockAhead.components.seconds
        return "; this machine's clock is \(abs(seconds)) s \(seconds > 0 ? "ahead of" : "behind") the issuer's"
    }

    /// A member that may be absent, null or empty; anything else but a printable string throws.
    private static func optional(_ name: String, _ object: JSONObject) throws(OIDCError) -> Secret? {
        guard object.has(name) else { return nil }
        guard let text = object.text(name), text.isEmpty || isPrintable(text) else {
            throw unreadable("its \(name) is no usable string")
        }
        return text.isEmpty ? nil : Secret(text)
    }

    /// RFC 6749 Appendix A.12: visible ASCII, so that no token breaks a header field.
    private static func isPrintable(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    private static func unreadable(_ why: String) -> OIDCError {
        OIDCError(
            .malformedAnswer,
            "The token endpoint's answer cannot be used: \(why); check the address, or report it to the issuer.",
            remedy: .retry(after: nil),
            delivery: .sentNoAnswer
        )
    }
}
