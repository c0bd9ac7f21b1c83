public import AuthKitCore

/// Why something at Niantic's identity service, or at what stands for it, failed.
///
/// `detail` is one sentence that says what to do; it never contains a token, a key or an answer's body.
public struct NianticError: ProviderFailure {
    /// What happened.
    public let reason: Code
    /// One sentence.
    public let detail: String
    /// What to do.
    public let remedy: Remedy
    /// How far the request came; nil when none was made.
    public let delivery: Delivery?
    /// The service's own words, where it had any.
    public let issuerError: OAuthErrorBody?
    /// What was behind it.
    public let cause: (any Error)?

    /// Makes an error.
    public init(
        _ reason: Code,
        _ detail: String,
        remedy: Remedy,
        delivery: Delivery? = nil,
        issuerError: OAuthErrorBody? = nil,
        cause: (any Error)? = nil
    ) {
        self.reason = reason
        self.detail = detail
        self.remedy = remedy
        self.delivery = delivery
        self.issuerError = issuerError
        self.cause = cause
    }

    /// The code as written in JSON errors.
    public var code: String { reason.description }
    /// One sentence.
    public var description: String { detail }
    /// Whether the other side broke the protocol or failed a security check.
    public var isProtocolViolation: Bool { reason.isProtocolViolation }
}

extension NianticError {
    /// A setting that cannot work.
    static func configuration(_ detail: String) -> NianticError {
        NianticError(.invalidConfiguration, detail, remedy: .fixConfiguration)
    }
}
