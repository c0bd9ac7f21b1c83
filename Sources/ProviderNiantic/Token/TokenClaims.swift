internal import AuthKitCore

/// What a token says of itself: for timing and for showing, never for trust.
///
/// No vendor client verifies a signature, and no key set is published. A session token is believed because the service
/// takes it, an NSDK token because it came from the service over TLS.
struct TokenClaims: Sendable {
    /// The longest text that is shown of a claim, in characters.
    private static let textLimit = 500

    private let claims: JSONObject

    /// Takes a token apart; nil unless it has three parts, none empty, and JSON objects for header and claims.
    init?(_ token: Secret) {
        let text = token.reveal()
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty }),
            let claims = (try? UnverifiedJWT(decoding: text))?.claims
        else { return nil }
        self.claims = claims
    }

    /// `exp`: whole, fractional, or digits in a string; nil where there is none that can be read.
    var expiresAt: WallTime? { AnswerExpiry.time(claims["exp"]) }
    /// `iat`, in the same forms.
    var issuedAt: WallTime? { AnswerExpiry.time(claims["iat"]) }

    /// A claim that is text or a number, as text, bounded and without control characters; nil for anything else.
    func text(_ name: String) -> String? {
        switch claims[name] {
        case .string(let text): text.isEmpty ? nil : Self.tame(text)
        case .number(let number): Self.tame(number.literal)
        default: nil
        }
    }

    /// The audience: one text, or the first of several (RFC 7519 §4.1.3).
    var audience: String? {
        if case .array(let values) = claims["aud"] { return values.lazy.compactMap(\.string).first.map(Self.tame) }
        return text("aud")
    }

    /// The first of several claims that is there; one that begins with a slash is the end of a longer name.
    func first(of names: [String]) -> String? {
        for name in names {
            if let text = text(name) { return text }
            guard name.hasPrefix("/") else { continue }
            let longer = claims.names.first { $0.hasSuffix(name) }
            if let text = longer.flatMap(text) { return text }
        }
        return nil
    }

    /// Who it is about: the subject at its issuer; nil where it names none.
    func account(issuer: String, userIDClaims: [String]) -> Account? {
        guard let subject = text("sub") ?? first(of: userIDClaims) else { return nil }
        return Account(
            issuer: text("iss") ?? issuer,
            subject: subject,
            displayName: text("email") ?? text("name")
        )
    }

    private static func tame(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix(textLimit).map { scalar in
                    scalar.value < 32 || (127..<160).contains(scalar.value) ? " " : scalar
                }
            )
        )
    }
}
