extension OIDCError {
    /// What happened; matched by callers and tests.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Raw: String {
            case invalidConfiguration = "invalid_configuration"
            case missingEndpoint = "missing_endpoint"
            case discoveryFailed = "discovery_failed"
            case issuerMismatch = "issuer_mismatch"
            case malformedAnswer = "malformed_answer"
            case unsupported
            case unavailable
            case refused
            case tokenRefused = "token_refused"
            case refreshRefused = "refresh_refused"
            case clientRefused = "client_refused"
            case signInNeeded = "sign_in_needed"
            case signInTimedOut = "timed_out"
            case wrongState = "wrong_state"
            case wrongIssuer = "wrong_issuer"
            case missingIDToken = "missing_id_token"
            case invalidIDToken = "invalid_id_token"
            case subjectChanged = "subject_changed"
            case accessRejected = "access_rejected"
            case wrongSubject = "wrong_subject"
        }

        private let raw: Raw

        /// A setting cannot work.
        public static let invalidConfiguration = Self(raw: .invalidConfiguration)
        /// The issuer names no such endpoint, or it is not at its address.
        public static let missingEndpoint = Self(raw: .missingEndpoint)
        /// The discovery document cannot be had or read.
        public static let discoveryFailed = Self(raw: .discoveryFailed)
        /// The discovery document names another issuer than the one asked.
        public static let issuerMismatch = Self(raw: .issuerMismatch)
        /// An answer that cannot be read or breaks the protocol.
        public static let malformedAnswer = Self(raw: .malformedAnswer)
        /// The issuer wants something that is not supported.
        public static let unsupported = Self(raw: .unsupported)
        /// The issuer cannot answer now.
        public static let unavailable = Self(raw: .unavailable)
        /// The person or the issuer refused the sign-in.
        public static let refused = Self(raw: .refused)
        /// The token endpoint refused the request.
        public static let tokenRefused = Self(raw: .tokenRefused)
        /// The token endpoint refused the refresh token.
        public static let refreshRefused = Self(raw: .refreshRefused)
        /// The token endpoint refused the client itself.
        public static let clientRefused = Self(raw: .clientRefused)
        /// Nothing is held that could be renewed.
        public static let signInNeeded = Self(raw: .signInNeeded)
        /// The person was not done in time.
        public static let signInTimedOut = Self(raw: .signInTimedOut)
        /// The answer does not belong to this sign-in.
        public static let wrongState = Self(raw: .wrongState)
        /// The answer, or an ID token at refresh, names another issuer.
        public static let wrongIssuer = Self(raw: .wrongIssuer)
        /// An ID token was due and none came.
        public static let missingIDToken = Self(raw: .missingIDToken)
        /// The ID token failed a check.
        public static let invalidIDToken = Self(raw: .invalidIDToken)
        /// A refresh brought an ID token of somebody else.
        public static let subjectChanged = Self(raw: .subjectChanged)
        /// A resource refused the access token.
        public static let accessRejected = Self(raw: .accessRejected)
        /// UserInfo is about somebody else.
        public static let wrongSubject = Self(raw: .wrongSubject)

        /// The code as written in JSON errors.
        public var description: String { raw.rawValue }

        /// Whether the other side broke the protocol or failed a security check.
        var isProtocolViolation: Bool {
            switch raw {
            case .issuerMismatch, .malformedAnswer, .wrongState, .wrongIssuer, .missingIDToken, .invalidIDToken,
                .subjectChanged, .wrongSubject:
                true
            default: false
            }
        }
    }
}
