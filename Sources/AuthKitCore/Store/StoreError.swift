/// What went wrong in a store.
public struct StoreError: Error, Sendable, CustomStringConvertible {
    /// What happened; matched by callers and tests.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Raw: String {
            case conflict
            case busy
            case leaseLost = "lease_lost"
            case cannotCreate = "cannot_create"
            case inputOutput = "input_output"
            case full
            case loosePermissions = "loose_permissions"
            case wrongOwner = "wrong_owner"
            case unsupportedPlace = "unsupported_place"
            case corrupt
            case newerFormat = "newer_format"
            case unavailable
            case untrusted
            case misconfigured = "invalid_configuration"
        }

        private let raw: Raw
        /// What is stored is not what was expected.
        public static let conflict = Self(raw: .conflict)
        /// Somebody else holds it, and the wait ended.
        public static let busy = Self(raw: .busy)
        /// The lease went to somebody else.
        public static let leaseLost = Self(raw: .leaseLost)
        /// The store cannot be made there.
        public static let cannotCreate = Self(raw: .cannotCreate)
        /// Reading or writing failed.
        public static let inputOutput = Self(raw: .inputOutput)
        /// There is no room.
        public static let full = Self(raw: .full)
        /// Others can read or write the place.
        public static let loosePermissions = Self(raw: .loosePermissions)
        /// The place belongs to another user.
        public static let wrongOwner = Self(raw: .wrongOwner)
        /// A network file system or another place that cannot hold a store safely.
        public static let unsupportedPlace = Self(raw: .unsupportedPlace)
        /// What is stored cannot be read as a store.
        public static let corrupt = Self(raw: .corrupt)
        /// The store was written by a newer version.
        public static let newerFormat = Self(raw: .newerFormat)
        /// The server that keeps the store cannot be reached.
        public static let unavailable = Self(raw: .unavailable)
        /// The server that keeps the store could not prove who it is, or offers no protection of what is sent.
        public static let untrusted = Self(raw: .untrusted)
        /// What says where the store is, or how to sign in to it, is wrong.
        public static let misconfigured = Self(raw: .misconfigured)
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
