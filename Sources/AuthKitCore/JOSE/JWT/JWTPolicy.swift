/// What a token must satisfy to be believed.
public struct JWTPolicy: Sendable, Hashable {
    /// What the header's `typ` must be; compared without case and without `application/` (RFC 7515 §4.1.9).
    public struct TypeRule: Sendable, Hashable {
        let accepted: [String]?
        let mayBeAbsent: Bool

        /// Accepts any `typ`, or none.
        public static let any = TypeRule(accepted: nil, mayBeAbsent: true)

        /// Accepts only these, and not none.
        public static func oneOf(_ types: [String]) -> TypeRule { TypeRule(accepted: types, mayBeAbsent: false) }

        /// Accepts these, or none.
        public static func absentOrOneOf(_ types: [String]) -> TypeRule {
            TypeRule(accepted: types, mayBeAbsent: true)
        }
    }

    /// The algorithms that may be used; an empty list allows nothing.
    public var algorithms: [JWSAlgorithm]
    /// The issuer that `iss` must be, byte for byte; nil asks for none.
    public var issuer: String?
    /// What must be among `aud`; nil asks for none.
    public var audience: String?
    /// What `nonce` must be; nil asks for none.
    public var nonce: String?
    /// Claims that must be present and not null.
    public var requiredClaims: [String]
    /// What `typ` must be.
    public var type: TypeRule
    /// How far clocks may differ: from zero to just below six minutes, other values are brought into that.
    public var clockSkew: Duration {
        get { skew }
        set { skew = Self.bounded(newValue) }
    }

    private var skew: Duration

    /// Makes a policy.
    public init(
        algorithms: [JWSAlgorithm],
        issuer: String? = nil,
        audience: String? = nil,
        nonce: String? = nil,
        requiredClaims: [String] = [],
        type: TypeRule = .any,
        clockSkew: Duration = .seconds(60)
    ) {
        self.algorithms = algorithms
        self.issuer = issuer
        self.audience = audience
        self.nonce = nonce
        self.requiredClaims = requiredClaims
        self.type = type
        skew = Self.bounded(clockSkew)
    }

    private static func bounded(_ skew: Duration) -> Duration {
        max(.zero, min(skew, .seconds(359)))
    }
}
