/// Why a development server cannot be started, or a script or fault cannot be read.
public struct DevServerError: Error, Sendable, CustomStringConvertible {
    /// What happened; matched by callers and tests.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Raw: String {
            case badFault = "bad_fault"
            case badScript = "bad_script"
            case badOptions = "bad_options"
            case cryptography
        }

        private let raw: Raw
        /// A fault that cannot be read or does not belong to its point.
        public static let badFault = Self(raw: .badFault)
        /// A script that is not the expected JSON.
        public static let badScript = Self(raw: .badScript)
        /// Options that contradict themselves.
        public static let badOptions = Self(raw: .badOptions)
        /// A key cannot be made or used, or there is no randomness.
        public static let cryptography = Self(raw: .cryptography)
        /// The code as written in JSON errors.
        public var description: String { raw.rawValue }
    }

    /// What happened.
    public let code: Code
    /// One sentence that says what to do.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
