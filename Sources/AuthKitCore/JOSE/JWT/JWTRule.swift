/// A check beyond `iss`, `aud`, `nonce`, `typ` and the times: what makes a token one of its kind.
///
///     var policy = JWTPolicy.idToken(issuer: issuer, clientID: "app", nonce: nonce)
///     policy.rules.append(.accessTokenHash(of: accessToken))
public struct JWTRule: Sendable, Hashable {
    enum Kind: Hashable {
        case claim(String, is: String)
        case claimIsNot(String, String)
        case present(anyOf: [String])
        case absent([String])
        case text([String])
        case subject
        case soleAudience
        case authorizedParty(String, trustedAudiences: Set<String>)
        case hash(String, of: Secret, mayBeAbsent: Bool)
        case accessTokenDigest(String)
        case date(String, within: Duration)
        case ends(within: Duration)
        case lasts(Duration)
        case boundKey(String)
        case logoutEvent
        case chat(String)
        case address(DPoPAddress)
    }

    let kind: Kind

    init(_ kind: Kind) {
        self.kind = kind
    }

    /// Asks for a claim that is this text, byte for byte; `missing_claim`, `malformed_claims` or `wrong_claim`.
    public static func claim(_ name: String, is value: String) -> JWTRule { JWTRule(.claim(name, is: value)) }

    /// Asks for one or more of these claims, `null` not counted; `missing_claim`.
    public static func present(anyOf names: [String]) -> JWTRule { JWTRule(.present(anyOf: names)) }

    /// Refuses a token that has one of these claims, whatever its value; `forbidden_claim`.
    public static func absent(_ names: [String]) -> JWTRule { JWTRule(.absent(names)) }

    /// Asks that each of these is a string with something in it, where it is there; `malformed_claims`.
    public static func text(_ names: [String]) -> JWTRule { JWTRule(.text(names)) }

    /// Asks that `aud` names nobody else (draft-ietf-oauth-rfc7523bis); `wrong_audience`.
    public static let soleAudience = JWTRule(.soleAudience)

    /// Asks that the token was issued to this client (OpenID Connect Core §3.1.3.7); `wrong_claim`, `wrong_audience`.
    ///
    /// An `azp` must be the client, and `aud` may name the client and trusted audiences only, with an `azp` or without.
    public static func authorizedParty(_ clientID: String, trustedAudiences: Set<String> = []) -> JWTRule {
        JWTRule(.authorizedParty(clientID, trustedAudiences: trustedAudiences))
    }

    /// Asks for an `at_hash` that is of this access token; `missing_claim` or `wrong_hash`.
    public static func accessTokenHash(of token: Secret) -> JWTRule {
        JWTRule(.hash("at_hash", of: token, mayBeAbsent: false))
    }

    /// Asks that an `at_hash`, where there is one, is of this access token: what the code flow needs (§3.1.3.8).
    public static func accessTokenHashIfPresent(of token: Secret) -> JWTRule {
        JWTRule(.hash("at_hash", of: token, mayBeAbsent: true))
    }

    /// Asks for a `c_hash` that is of this code (OpenID Connect Core §3.3.2.10); `missing_claim` or `wrong_hash`.
    public static func codeHash(of code: Secret) -> JWTRule { JWTRule(.hash("c_hash", of: code, mayBeAbsent: false)) }

    /// Asks for an `s_hash` that is of this state (FAPI 1.0 part 2, §5.1); `missing_claim` or `wrong_hash`.
    public static func stateHash(of state: Secret) -> JWTRule {
        JWTRule(.hash("s_hash", of: state, mayBeAbsent: false))
    }

    /// Asks for an `auth_time` that lies at most this far back, and the skew; `missing_claim` or `too_old`.
    public static func authenticated(within age: Duration) -> JWTRule { JWTRule(.date("auth_time", within: age)) }

    /// Asks for an `iat` that lies at most this far back, and the skew; `missing_claim` or `too_old`.
    public static func issued(within age: Duration) -> JWTRule { JWTRule(.date("iat", within: age)) }

    /// Asks for an `exp` that lies at most this far ahead, and the skew; `missing_claim` or `too_long_lived`.
    public static func ends(within lifetime: Duration) -> JWTRule { JWTRule(.ends(within: lifetime)) }

    /// Asks for no more than this from `nbf` to `exp`; `missing_claim` or `too_long_lived`.
    public static func lasts(atMost lifetime: Duration) -> JWTRule { JWTRule(.lasts(lifetime)) }

    /// Asks that the token is bound to the key of a DPoP proof by `cnf.jkt` (RFC 9449 §6.1).
    ///
    /// `missing_claim`, `malformed_claims`, or `key_mismatch` when it is bound to another key.
    public static func boundKey(thumbprint: String) -> JWTRule { JWTRule(.boundKey(thumbprint)) }
}

extension JWTRule: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always the same: the values that tokens are compared with are not printed.
    public var description: String { "JWTRule" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// A mirror without children, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
