/// Why a session has no token to give, or could not sign in or out.
public struct SessionError: ProviderFailure {
    /// What happened; matched by callers and tests.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Raw: String {
            case signInNeeded = "sign_in_needed"
            case signedOut = "signed_out"
            case refreshRefused = "refresh_refused"
            case answerLost = "answer_lost"
            case noRefreshToken = "no_refresh_token"
            case superseded
            case busy
            case saveFailed = "save_failed"
            case ending
            case timedOut = "timed_out"
            case issuerSilent = "issuer_silent"
            case callerLimitPassed = "caller_limit_passed"
            case interactionUnsupported = "interaction_unsupported"
            case wrongProcess = "wrong_process"
            case disposed
            case tokenRefused = "token_refused"
            case insufficientScope = "insufficient_scope"
            case stepUpNeeded = "step_up_needed"
            case unusableToken = "unusable_token"
            case insecureAddress = "insecure_address"
        }

        private let raw: Raw
        /// Nobody has signed in yet.
        public static let signInNeeded = Self(raw: .signInNeeded)
        /// Signed out, on purpose.
        public static let signedOut = Self(raw: .signedOut)
        /// The issuer no longer takes the refresh token.
        public static let refreshRefused = Self(raw: .refreshRefused)
        /// A one-time token was sent and its answer was lost.
        public static let answerLost = Self(raw: .answerLost)
        /// The token has ended and there is nothing to renew it with.
        public static let noRefreshToken = Self(raw: .noRefreshToken)
        /// A sign-out or another sign-in came first.
        public static let superseded = Self(raw: .superseded)
        /// Somebody else is renewing and did not end in time.
        public static let busy = Self(raw: .busy)
        /// New tokens could not be stored.
        public static let saveFailed = Self(raw: .saveFailed)
        /// The process is ending.
        public static let ending = Self(raw: .ending)
        /// The person did not finish in time.
        public static let timedOut = Self(raw: .timedOut)
        /// The time of a sign-in passed before there was a page to show.
        public static let issuerSilent = Self(raw: .issuerSilent)
        /// The renewal did not end within the caller's own limit; it goes on.
        public static let callerLimitPassed = Self(raw: .callerLimitPassed)
        /// The provider knows no sign-in by a person.
        public static let interactionUnsupported = Self(raw: .interactionUnsupported)
        /// The process has forked since the session was made.
        public static let wrongProcess = Self(raw: .wrongProcess)
        /// The session was given up.
        public static let disposed = Self(raw: .disposed)
        /// A resource does not take the token, a renewed one included.
        public static let tokenRefused = Self(raw: .tokenRefused)
        /// A resource wants more scope; the challenge says which.
        public static let insufficientScope = Self(raw: .insufficientScope)
        /// A resource wants a stronger or more recent sign-in; the challenge says which.
        public static let stepUpNeeded = Self(raw: .stepUpNeeded)
        /// The token is of a type that cannot be presented, or its key is missing.
        public static let unusableToken = Self(raw: .unusableToken)
        /// A token would have been sent in clear.
        public static let insecureAddress = Self(raw: .insecureAddress)
        /// The code as written in JSON errors.
        public var description: String { raw.rawValue }
    }

    /// What happened.
    public let reason: Code
    /// One sentence that says what to do next.
    public let detail: String
    /// The error below, where there is one.
    public let cause: (any Error)?
    /// What the resource wants, where it is a resource that refused: `scope`, `acrValues`, `maxAge`.
    public let challenge: AuthorizationChallenge?

    /// Makes an error.
    public init(
        _ reason: Code,
        _ detail: String,
        cause: (any Error)? = nil,
        challenge: AuthorizationChallenge? = nil
    ) {
        self.challenge = challenge
        self.reason = reason
        self.detail = detail
        self.cause = cause
    }

    /// The code as written in JSON errors.
    public var code: String { reason.description }

    /// What to do: sign in, wait, or mend the set-up.
    public var remedy: Remedy {
        switch reason {
        case .busy, .ending, .superseded, .saveFailed, .callerLimitPassed, .issuerSilent: .retry(after: nil)
        case .interactionUnsupported, .wrongProcess, .disposed, .tokenRefused, .insecureAddress: .fixConfiguration
        default: .signInAgain
        }
    }

    /// Nothing was sent by the session itself.
    public var delivery: Delivery? { nil }

    /// What the issuer said, where that is the cause.
    public var issuerError: OAuthErrorBody? { (cause as? any ProviderFailure)?.issuerError }

    /// The sentence.
    public var description: String { detail }
}
