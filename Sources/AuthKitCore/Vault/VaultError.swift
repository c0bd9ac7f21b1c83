/// What went wrong between a store and its key.
public struct VaultError: Error, Sendable, CustomStringConvertible {
    /// What happened; matched by callers and tests.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Raw: String {
            case keyUnavailable = "key_unavailable"
            case wrongKey = "wrong_key"
            case otherKeySource = "other_key_source"
            case tampered
            case headerMissing = "header_missing"
            case otherHeader = "other_header"
            case newerFormat = "newer_format"
            case tooLarge = "too_large"
            case exportDamaged = "export_damaged"
            case sameStore = "same_store"
            case copyDiffers = "copy_differs"
        }

        private let raw: Raw
        /// The key cannot be had: a missing file, an unset variable.
        public static let keyUnavailable = Self(raw: .keyUnavailable)
        /// The key or passphrase does not open this store.
        public static let wrongKey = Self(raw: .wrongKey)
        /// The store was made with another kind of key source.
        public static let otherKeySource = Self(raw: .otherKeySource)
        /// A record was changed by something else.
        public static let tampered = Self(raw: .tampered)
        /// There are records and no header.
        public static let headerMissing = Self(raw: .headerMissing)
        /// The header is another store's: none of the records was sealed by its keys.
        public static let otherHeader = Self(raw: .otherHeader)
        /// The store was written by a newer version.
        public static let newerFormat = Self(raw: .newerFormat)
        /// A credential is larger than 4 MiB.
        public static let tooLarge = Self(raw: .tooLarge)
        /// An export file was cut short or changed, or is none.
        public static let exportDamaged = Self(raw: .exportDamaged)
        /// Records were to be copied from a store into itself.
        public static let sameStore = Self(raw: .sameStore)
        /// A copy that was read back is not what was copied.
        public static let copyDiffers = Self(raw: .copyDiffers)
        /// The code as written in JSON errors.
        public var description: String { raw.rawValue }
    }

    /// What happened.
    public let code: Code
    /// One sentence that says what to do next.
    public let detail: String
    /// The error below, where there is one.
    public let cause: (any Error)?

    /// Makes an error.
    public init(_ code: Code, _ detail: String, cause: (any Error)? = nil) {
        self.code = code
        self.detail = detail
        self.cause = cause
    }

    /// The sentence.
    public var description: String { detail }
}
