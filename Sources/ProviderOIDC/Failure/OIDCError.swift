public import AuthKitCore

/// Why something at an OpenID Connect issuer failed.
///
/// `detail` is one sentence that says what to do; it never contains a token, a code or an answer's body.
public struct OIDCError: ProviderFailure {
    /// What happened.
    public let reason: Code
    /// One sentence.
    public let detail: String
    /// What to do.
    public let remedy: Remedy
    /// How far the request came; nil when none was made.
    public let delivery: Delivery?
    /// The issuer's own error fields.
    public let issuerError: OAuthErrorBody?
    /// The token that a resource refused: renew it and try once more.
    public let rejected: TokenFingerprint?
    /// What was behind it.
    public let cause: (any Error)?

    /// Makes an error.
    public init(
        _ reason: Code,
        _ detail: String,
        remedy: Remedy,
        delivery: Delivery? = nil,
        issuerError: OAuthErrorBody? = nil,
        rejected: TokenFingerprint? = nil,
        cause: (any Error)? = nil
    ) {
        self.reason = reason
        self.detail = detail
        self.remedy = remedy
        self.delivery = delivery
        self.issuerError = issuerError
        self.rejected = rejected
        self.cause = cause
    }

    /// The code as written in JSON errors.
    public var code: String { reason.description }
    /// One sentence.
    public var description: String { detail }
    /// Whether the other side broke the protocol or failed a security check.
    public var isProtocolViolation: Bool { reason.isProtocolViolation }
}

extension OIDCError {
    /// A setting that cannot work.
    static func configuration(_ detail: String) -> OIDCError {
        OIDCError(.invalidConfiguration, detail, remedy: .fixConfiguration)
    }

    /// The same failure as one that came after an answer was received and read.
    ///
    /// What follows the token answer (fetching keys, checks) says nothing about the token that was sent.
    static func afterAnswer(_ error: any Error, doing what: String) -> any Error {
        if error is CancellationError { return error }
        if let error = error as? OIDCError { return error.delivered(.answered) }
        guard let failure = error as? any ProviderFailure else {
            return OIDCError(
                .malformedAnswer,
                "\(what) failed: \(error).",
                remedy: .fixConfiguration,
                delivery: .answered,
                cause: error
            )
        }
        return OIDCError(
            .unavailable,
            "\(what) failed: \(failure)",
            remedy: failure.remedy,
            delivery: .answered,
            issuerError: failure.issuerError,
            cause: error
        )
    }

    /// Whether an endpoint answered that it is not at its address (404, 405, 410).
    var isAddressGone: Bool { reason == .missingEndpoint && delivery == .answered }

    private func delivered(_ delivery: Delivery) -> OIDCError {
        OIDCError(
            reason,
            detail,
            remedy: remedy,
            delivery: delivery,
            issuerError: issuerError,
            rejected: rejected,
            cause: cause
        )
    }
}
