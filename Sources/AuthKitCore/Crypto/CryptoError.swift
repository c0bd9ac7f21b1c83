import COpenSSL

/// Why a cryptographic operation failed.
public struct CryptoError: Error, Sendable, CustomStringConvertible {
    /// What happened; matched by callers and tests.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Raw: String {
            case operationFailed = "operation_failed"
            case invalidInput = "invalid_input"
            case authenticationFailed = "authentication_failed"
            case limitExceeded = "limit_exceeded"
        }

        private let raw: Raw
        /// The library refused or could not do the operation.
        public static let operationFailed = Self(raw: .operationFailed)
        /// A length or value is outside what the operation takes.
        public static let invalidInput = Self(raw: .invalidInput)
        /// Ciphertext, key, nonce or associated data do not belong together.
        public static let authenticationFailed = Self(raw: .authenticationFailed)
        /// More memory or work would be needed than allowed.
        public static let limitExceeded = Self(raw: .limitExceeded)
        /// The code as written in JSON errors.
        public var description: String { raw.rawValue }
    }

    /// What happened.
    public let code: Code
    /// One sentence, without secrets.
    public let detail: String

    /// Makes an error.
    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// The sentence.
    public var description: String { detail }

    /// Names a failed libcrypto call and empties this thread's error queue into the detail.
    static func drain(_ operation: String) -> CryptoError {
        CryptoError(.operationFailed, "libcrypto refused \(operation)\(takeQueue()).")
    }

    /// Empties this thread's error queue, where a failure is an answer and not an error.
    static func discardQueue() {
        ERR_clear_error()
    }

    private static func takeQueue() -> String {
        var reasons: [String] = []
        while true {
            let entry = ERR_get_error()
            if entry == 0 { break }
            guard reasons.count < 8, let reason = unsafe ERR_reason_error_string(entry) else { continue }
            reasons.append(unsafe String(cString: reason))
        }
        return reasons.isEmpty ? "" : ": " + reasons.joined(separator: ", ")
    }
}
