/// Why an issuer's keys cannot be had.
public struct KeySetError: ProviderFailure {
    /// What happened; matched by callers and tests.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Raw: String {
            case insecureURL = "insecure_url"
            case unavailable = "key_set_unavailable"
            case unreadable = "key_set_unreadable"
        }

        private let raw: Raw
        /// The URL is neither `https` nor on loopback.
        public static let insecureURL = Self(raw: .insecureURL)
        /// The answer was not 200.
        public static let unavailable = Self(raw: .unavailable)
        /// The answer was not a key set.
        public static let unreadable = Self(raw: .unreadable)
        /// The code as written in JSON errors.
        public var description: String { raw.rawValue }
    }

    /// What happened.
    public let reason: Code
    /// How far the request came; nil when none was made.
    public let delivery: Delivery?
    /// One sentence that says what to do next.
    public let description: String

    init(_ reason: Code, delivery: Delivery?, _ description: String) {
        self.reason = reason
        self.delivery = delivery
        self.description = description
    }

    /// The code as written in JSON errors.
    public var code: String { reason.description }

    /// A bad URL needs a change; everything else may pass.
    public var remedy: Remedy {
        reason == .insecureURL ? .fixConfiguration : .retry(after: nil)
    }
}
