public import AuthKitCore

/// Why a loopback server cannot serve.
public struct LoopbackError: ProviderFailure {
    /// What happened; matched by callers and tests.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Raw: String {
            case libraryMissing = "library_missing"
            case portBusy = "port_busy"
            case cannotListen = "cannot_listen"
            case unsupportedRedirect = "unsupported_redirect"
            case alreadyUsed = "already_used"
        }

        private let raw: Raw
        /// libmicrohttpd is not installed.
        public static let libraryMissing = Self(raw: .libraryMissing)
        /// Somebody else listens on the port, or on each of the ports.
        public static let portBusy = Self(raw: .portBusy)
        /// The address or port cannot be had for another reason.
        public static let cannotListen = Self(raw: .cannotListen)
        /// No redirect URI is an `http` URL on 127.0.0.1, [::1] or localhost.
        public static let unsupportedRedirect = Self(raw: .unsupportedRedirect)
        /// The receiver has waited, or was closed, before.
        public static let alreadyUsed = Self(raw: .alreadyUsed)
        /// The code as written in JSON errors.
        public var description: String { raw.rawValue }
    }

    /// What happened.
    public let reason: Code
    /// One sentence that says what to do next.
    public let detail: String

    /// Makes an error.
    public init(_ reason: Code, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }

    /// The code as written in JSON errors.
    public var code: String { reason.description }
    /// A busy port may become free; everything else needs a change.
    public var remedy: Remedy { reason == .portBusy ? .retry(after: nil) : .fixConfiguration }
    /// None: no request was made.
    public var delivery: Delivery? { nil }
    /// The sentence.
    public var description: String { detail }
}
