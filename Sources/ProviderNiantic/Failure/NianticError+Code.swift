extension NianticError {
    /// What happened; matched by callers and tests.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Raw: String {
            case invalidConfiguration = "invalid_configuration"
            case missingEndpoint = "missing_endpoint"
            case malformedAnswer = "malformed_answer"
            case unavailable
            case requestRefused = "request_refused"
            case signInTimedOut = "timed_out"
            case signInDeclined = "sign_in_declined"
            case callbackDeclined = "callback_declined"
            case pageRefused = "page_refused"
            case invalidSessionToken = "invalid_session_token"
            case accountChanged = "account_changed"
            case sessionRefused = "session_refused"
            case sessionRevoked = "session_revoked"
            case sessionEnded = "session_ended"
            case refreshRefused = "refresh_refused"
            case apiKeyRefused = "api_key_refused"
            case apiKeyUnusable = "api_key_unusable"
            case invalidDeveloperToken = "invalid_developer_token"
            case developerTokenEnded = "developer_token_ended"
            case backendRefused = "backend_refused"
            case unsupported
            case authorizationTimedOut = "authorization_timed_out"
            case tokenRejected = "token_rejected"
            case notPermitted = "not_permitted"
        }

        private let raw: Raw

        /// A setting cannot work.
        public static let invalidConfiguration = Self(raw: .invalidConfiguration)
        /// Nothing answers as an endpoint at the configured address.
        public static let missingEndpoint = Self(raw: .missingEndpoint)
        /// An answer that cannot be read or lacks its token.
        public static let malformedAnswer = Self(raw: .malformedAnswer)
        /// The service cannot answer now.
        public static let unavailable = Self(raw: .unavailable)
        /// The service does not take the request itself, whatever the token.
        public static let requestRefused = Self(raw: .requestRefused)
        /// The person was not done in time.
        public static let signInTimedOut = Self(raw: .signInTimedOut)
        /// The person said no to the account that came.
        public static let signInDeclined = Self(raw: .signInDeclined)
        /// The person said no to a callback and waits for another; told while the sign-in goes on, never thrown.
        public static let callbackDeclined = Self(raw: .callbackDeclined)
        /// A callback brought an error of the sign-in page; told while the sign-in goes on, never thrown.
        public static let pageRefused = Self(raw: .pageRefused)
        /// The session token does not pass the check that was asked for.
        public static let invalidSessionToken = Self(raw: .invalidSessionToken)
        /// Another account came than the one that was there.
        public static let accountChanged = Self(raw: .accountChanged)
        /// The service refused the session token (steps 1 and 2).
        public static let sessionRefused = Self(raw: .sessionRefused)
        /// The service took the session token back by deleting its cookie.
        public static let sessionRevoked = Self(raw: .sessionRevoked)
        /// Neither the session token nor the NSDK refresh token lives any more.
        public static let sessionEnded = Self(raw: .sessionEnded)
        /// The service refused the NSDK refresh token (step 3).
        public static let refreshRefused = Self(raw: .refreshRefused)
        /// The service refused the service account's key.
        public static let apiKeyRefused = Self(raw: .apiKeyRefused)
        /// The file with the service account's key is missing or cannot be used.
        public static let apiKeyUnusable = Self(raw: .apiKeyUnusable)
        /// What was given is no developer token.
        public static let invalidDeveloperToken = Self(raw: .invalidDeveloperToken)
        /// The developer token has ended, and nothing renews one.
        public static let developerTokenEnded = Self(raw: .developerTokenEnded)
        /// The app's own back end refused.
        public static let backendRefused = Self(raw: .backendRefused)
        /// Something was asked for that NSDK tokens do not have.
        public static let unsupported = Self(raw: .unsupported)
        /// Nobody was authorized within the time given.
        public static let authorizationTimedOut = Self(raw: .authorizationTimedOut)
        /// An NSDK service does not take the access token.
        public static let tokenRejected = Self(raw: .tokenRejected)
        /// An NSDK service takes the token and does not allow the call: the scope, or the authorization, lacks.
        public static let notPermitted = Self(raw: .notPermitted)

        /// The code as written in JSON errors.
        public var description: String { raw.rawValue }

        /// Whether it says that a callback's token is no good, so that another callback may be waited for.
        var isAboutTheCallback: Bool {
            switch raw {
            case .callbackDeclined, .invalidSessionToken, .accountChanged, .sessionRefused, .sessionRevoked,
                .sessionEnded:
                true
            default: false
            }
        }

        /// Whether the other side broke the protocol or failed a security check.
        var isProtocolViolation: Bool {
            switch raw {
            case .malformedAnswer, .invalidSessionToken, .accountChanged: true
            default: false
            }
        }
    }
}
