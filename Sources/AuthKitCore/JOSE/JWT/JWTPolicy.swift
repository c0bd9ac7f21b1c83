/// What a token must satisfy to be believed.
public struct JWTPolicy: Sendable, Hashable {
    /// Who or whom a token must name.
    public struct NameRule: Sendable, Hashable {
        let name: String?

        /// Accepts this name only, byte for byte.
        public static func exactly(_ name: String) -> NameRule { NameRule(name: name) }

        /// Accepts any name, or none (RFC 8725 §3.8, §3.9 ask for the check).
        public static let insecureAny = NameRule(name: nil)
    }

    /// What the header's `typ` must be; compared without case and without `application/` (RFC 7515 §4.1.9).
    public struct TypeRule: Sendable, Hashable {
        let accepted: [String]?
        let mayBeAbsent: Bool

        /// Accepts any `typ`, or none: a token of another purpose from the same issuer passes (RFC 8725 §2.8).
        public static let insecureAny = TypeRule(accepted: nil, mayBeAbsent: true)

        /// Accepts only these, and not none.
        public static func oneOf(_ types: [String]) -> TypeRule { TypeRule(accepted: types, mayBeAbsent: false) }

        /// Accepts these, or none.
        public static func absentOrOneOf(_ types: [String]) -> TypeRule {
            TypeRule(accepted: types, mayBeAbsent: true)
        }
    }

    /// The algorithms that may be used; an empty list allows nothing.
    public var algorithms: [JWSAlgorithm]
    /// The issuer that `iss` must be.
    public var issuer: NameRule
    /// What must be among `aud`.
    public var audience: NameRule
    /// What `nonce` must be; nil asks for none.
    public var nonce: String?
    /// Claims that must be present and not null.
    public var requiredClaims: [String]
    /// What `typ` must be.
    public var type: TypeRule
    /// What is checked after everything else, in this order.
    public var rules: [JWTRule]
    /// How far clocks may differ: from zero to just below six minutes, other values are brought into that.
    public var clockSkew: Duration {
        get { skew }
        set { skew = Self.bounded(newValue) }
    }

    private var skew: Duration

    /// Makes a policy for tokens of one issuer that are meant for one audience.
    public init(
        algorithms: [JWSAlgorithm],
        issuer: String,
        audience: String,
        nonce: String? = nil,
        requiredClaims: [String] = [],
        type: TypeRule = .absentOrOneOf(["JWT"]),
        rules: [JWTRule] = [],
        clockSkew: Duration = .seconds(60)
    ) {
        self.init(
            algorithms: algorithms,
            issuer: .exactly(issuer),
            audience: .exactly(audience),
            nonce: nonce,
            requiredClaims: requiredClaims,
            type: type,
            rules: rules,
            clockSkew: clockSkew
        )
    }

    /// Makes a policy; a check is left out by a rule that says so.
    public init(
        algorithms: [JWSAlgorithm],
        issuer: NameRule,
        audience: NameRule,
        nonce: String? = nil,
        requiredClaims: [String] = [],
        type: TypeRule = .absentOrOneOf(["JWT"]),
        rules: [JWTRule] = [],
        clockSkew: Duration = .seconds(60)
    ) {
        self.algorithms = algorithms
        self.issuer = issuer
        self.audience = audience
        self.nonce = nonce
        self.requiredClaims = requiredClaims
        self.type = type
        self.rules = rules
        skew = Self.bounded(clockSkew)
    }

    private static func bounded(_ skew: Duration) -> Duration {
        max(.zero, min(skew, .seconds(359)))
    }
}
