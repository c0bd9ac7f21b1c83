/// Why bytes are not acceptable JSON.
public struct JSONError: Error, Sendable, CustomStringConvertible {
    /// What happened; matched by callers and tests.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Raw: String {
            case malformed
            case invalidUTF8 = "invalid_utf8"
            case loneSurrogate = "lone_surrogate"
            case duplicateMember = "duplicate_member"
            case tooDeep = "too_deep"
            case tooLarge = "too_large"
            case trailingBytes = "trailing_bytes"
        }

        private let raw: Raw
        /// The bytes do not follow the grammar of RFC 8259.
        public static let malformed = Self(raw: .malformed)
        /// A string is not UTF-8.
        public static let invalidUTF8 = Self(raw: .invalidUTF8)
        /// An escape names half of a surrogate pair.
        public static let loneSurrogate = Self(raw: .loneSurrogate)
        /// An object has a name twice.
        public static let duplicateMember = Self(raw: .duplicateMember)
        /// Arrays and objects are nested deeper than allowed.
        public static let tooDeep = Self(raw: .tooDeep)
        /// There are more bytes than allowed.
        public static let tooLarge = Self(raw: .tooLarge)
        /// Something follows the value.
        public static let trailingBytes = Self(raw: .trailingBytes)
        /// The code as written in JSON errors.
        public var description: String { raw.rawValue }
    }

    /// What happened.
    public let code: Code
    /// The offset of the byte where it was noticed.
    public let offset: Int

    init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }

    /// One sentence; never any of the bytes.
    public var description: String { "The JSON cannot be used: \(reason)." }

    /// What is wrong and where, for a sentence about the bytes; never any of them.
    package var reason: String {
        let reason =
            switch code {
            case .invalidUTF8: "a string is not UTF-8"
            case .loneSurrogate: "an escape names half of a surrogate pair"
            case .duplicateMember: "an object has the same name twice"
            case .tooDeep: "it is nested too deeply"
            case .tooLarge: "it is too large"
            case .trailingBytes: "something follows its end"
            default: "the syntax is wrong"
            }
        return "\(reason) (at byte \(offset))"
    }
}
