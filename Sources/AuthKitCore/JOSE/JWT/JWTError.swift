/// Why a token or key is not believed.
public struct JWTError: Error, Sendable, CustomStringConvertible {
    /// What happened; matched by callers and tests.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Raw: String, CaseIterable {
            case malformed
            case unsupportedAlgorithm = "unsupported_algorithm"
            case algorithmNotAllowed = "algorithm_not_allowed"
            case keyNotFound = "key_not_found"
            case keyMismatch = "key_mismatch"
            case weakKey = "weak_key"
            case badSignature = "bad_signature"
            case cannotVerify = "cannot_verify"
            case unsupportedCritical = "unsupported_critical"
            case malformedClaims = "malformed_claims"
            case missingClaim = "missing_claim"
            case expired
            case notYetValid = "not_yet_valid"
            case issuedInFuture = "issued_in_future"
            case wrongIssuer = "wrong_issuer"
            case wrongAudience = "wrong_audience"
            case wrongType = "wrong_type"
            case wrongNonce = "wrong_nonce"
            case wrongHash = "wrong_hash"
            case wrongClaim = "wrong_claim"
            case forbiddenClaim = "forbidden_claim"
            case tooOld = "too_old"
            case tooLongLived = "too_long_lived"
            case tooLarge = "too_large"
            case decryptionFailed = "decryption_failed"
        }

        private let raw: Raw
        /// Every code there is.
        package static let all: [Code] = Raw.allCases.map { Self(raw: $0) }
        /// Its form is not that of a compact JWS, a JWK or a key set.
        public static let malformed = Self(raw: .malformed)
        /// Its algorithm is `none` or one that is not supported.
        public static let unsupportedAlgorithm = Self(raw: .unsupportedAlgorithm)
        /// Its algorithm is not on the policy's list.
        public static let algorithmNotAllowed = Self(raw: .algorithmNotAllowed)
        /// No key has its kid.
        public static let keyNotFound = Self(raw: .keyNotFound)
        /// The key is of another type, curve or use.
        public static let keyMismatch = Self(raw: .keyMismatch)
        /// The key is too short.
        public static let weakKey = Self(raw: .weakKey)
        /// The signature is not one of the key over these bytes.
        public static let badSignature = Self(raw: .badSignature)
        /// The cryptographic library failed; nothing is known of the signature.
        public static let cannotVerify = Self(raw: .cannotVerify)
        /// It needs an extension that is not supported.
        public static let unsupportedCritical = Self(raw: .unsupportedCritical)
        /// The claims are not a JSON object, or one of them has the wrong type.
        public static let malformedClaims = Self(raw: .malformedClaims)
        /// A claim that the policy asks for is absent.
        public static let missingClaim = Self(raw: .missingClaim)
        /// Its `exp` has passed.
        public static let expired = Self(raw: .expired)
        /// Its `nbf` has not come.
        public static let notYetValid = Self(raw: .notYetValid)
        /// Its `iat` has not come.
        public static let issuedInFuture = Self(raw: .issuedInFuture)
        /// Its `iss` is another.
        public static let wrongIssuer = Self(raw: .wrongIssuer)
        /// Its `aud` does not name us.
        public static let wrongAudience = Self(raw: .wrongAudience)
        /// Its `typ` is another.
        public static let wrongType = Self(raw: .wrongType)
        /// Its `nonce` is another.
        public static let wrongNonce = Self(raw: .wrongNonce)
        /// A hash in it does not belong to the token or code beside it.
        public static let wrongHash = Self(raw: .wrongHash)
        /// Another claim has a value that it must not have here.
        public static let wrongClaim = Self(raw: .wrongClaim)
        /// It has a claim that tokens of its kind must not have.
        public static let forbiddenClaim = Self(raw: .forbiddenClaim)
        /// It, or the sign-in that it tells of, lies further back than allowed.
        public static let tooOld = Self(raw: .tooOld)
        /// Its `exp` lies further ahead than allowed.
        public static let tooLongLived = Self(raw: .tooLongLived)
        /// It is larger than allowed.
        public static let tooLarge = Self(raw: .tooLarge)
        /// It cannot be decrypted; why is not told (RFC 7516 §11.5).
        public static let decryptionFailed = Self(raw: .decryptionFailed)
        /// The code as written in JSON errors.
        public var description: String { raw.rawValue }
    }

    /// What happened.
    public let code: Code
    /// One sentence; of a token it tells an algorithm by its name and dates, nothing else.
    public let detail: String
    /// The error below, where there is one.
    public let cause: (any Error)?

    /// Makes an error.
    package init(_ code: Code, _ detail: String, cause: (any Error)? = nil) {
        self.code = code
        self.detail = detail
        self.cause = cause
    }

    /// The sentence.
    public var description: String { detail }
}
