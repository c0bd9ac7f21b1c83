/// Why an exchange failed before there was a whole answer.
public struct TransportError: ProviderFailure {
    /// What happened; matched by callers and tests.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Raw: String {
            case nameNotFound = "name_not_found"
            case cannotConnect = "cannot_connect"
            case tlsFailed = "tls_failed"
            case timedOut = "timed_out"
            case bodyTooLarge = "body_too_large"
            case connectionLost = "connection_lost"
            case insecureURL = "insecure_url"
            case redirectRefused = "redirect_refused"
            case unusable
        }

        private let raw: Raw
        /// The name does not resolve.
        public static let nameNotFound = Self(raw: .nameNotFound)
        /// Nobody listens there, or the way is closed.
        public static let cannotConnect = Self(raw: .cannotConnect)
        /// The certificate is not trusted, or TLS could not be agreed upon.
        public static let tlsFailed = Self(raw: .tlsFailed)
        /// A deadline passed.
        public static let timedOut = Self(raw: .timedOut)
        /// The answer is larger than allowed.
        public static let bodyTooLarge = Self(raw: .bodyTooLarge)
        /// The connection ended before the answer did.
        public static let connectionLost = Self(raw: .connectionLost)
        /// Plain `http` to a host that is not loopback.
        public static let insecureURL = Self(raw: .insecureURL)
        /// A redirect that the policy does not allow for this request.
        public static let redirectRefused = Self(raw: .redirectRefused)
        /// The transport itself cannot be used, such as a missing library.
        public static let unusable = Self(raw: .unusable)
        /// The code as written in JSON errors.
        public var description: String { raw.rawValue }
    }

    /// What happened.
    public let reason: Code
    /// How far the request came.
    public let delivery: Delivery?
    /// What is known, without secrets.
    public let detail: String

    /// Makes an error.
    public init(_ reason: Code, delivery: Delivery, detail: String) {
        self.reason = reason
        self.delivery = delivery
        self.detail = detail
    }

    /// The code as written in JSON errors.
    public var code: String { reason.description }

    /// Faults of set-up need a change, everything else may pass.
    public var remedy: Remedy {
        switch reason {
        case .tlsFailed, .insecureURL, .unusable, .redirectRefused, .bodyTooLarge: .fixConfiguration
        default: .retry(after: nil)
        }
    }

    /// One sentence.
    public var description: String { detail }
}
