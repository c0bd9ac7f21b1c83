/// A signature algorithm of JOSE (RFC 7518 §3.1, RFC 8037, RFC 9864).
///
/// There is no value for `none`.
public struct JWSAlgorithm: Sendable, Hashable {
    private enum Raw: String, CaseIterable {
        case rs256 = "RS256"
        case rs384 = "RS384"
        case rs512 = "RS512"
        case ps256 = "PS256"
        case ps384 = "PS384"
        case ps512 = "PS512"
        case es256 = "ES256"
        case es384 = "ES384"
        case es512 = "ES512"
        case edDSA = "EdDSA"
        case ed25519 = "Ed25519"
    }

    private let raw: Raw

    private init(_ raw: Raw) {
        self.raw = raw
    }

    /// Finds an algorithm by its exact name; nil for `none` and for whatever is not supported.
    public init?(name: String) {
        guard let raw = Raw(rawValue: name) else { return nil }
        self.raw = raw
    }

    /// RSASSA-PKCS1-v1_5 with SHA-256.
    public static let rs256 = Self(.rs256)
    /// RSASSA-PKCS1-v1_5 with SHA-384.
    public static let rs384 = Self(.rs384)
    /// RSASSA-PKCS1-v1_5 with SHA-512.
    public static let rs512 = Self(.rs512)
    /// RSASSA-PSS with SHA-256.
    public static let ps256 = Self(.ps256)
    /// RSASSA-PSS with SHA-384.
    public static let ps384 = Self(.ps384)
    /// RSASSA-PSS with SHA-512.
    public static let ps512 = Self(.ps512)
    /// ECDSA on P-256 with SHA-256.
    public static let es256 = Self(.es256)
    /// ECDSA on P-384 with SHA-384.
    public static let es384 = Self(.es384)
    /// ECDSA on P-521 with SHA-512.
    public static let es512 = Self(.es512)
    /// EdDSA, here always with Ed25519 (RFC 8037 §3.1).
    public static let edDSA = Self(.edDSA)
    /// Ed25519 by its fully specified name (RFC 9864 §2.2).
    public static let ed25519 = Self(.ed25519)

    /// Every algorithm there is.
    public static let all: [JWSAlgorithm] = Raw.allCases.map { Self($0) }

    /// The name in a header's `alg`.
    public var name: String { raw.rawValue }

    /// How the signature is made.
    package var scheme: SignatureScheme {
        switch raw {
        case .rs256: .rsaPKCS1(.sha256)
        case .rs384: .rsaPKCS1(.sha384)
        case .rs512: .rsaPKCS1(.sha512)
        case .ps256: .rsaPSS(.sha256)
        case .ps384: .rsaPSS(.sha384)
        case .ps512: .rsaPSS(.sha512)
        case .es256: .ecdsa(.p256, .sha256)
        case .es384: .ecdsa(.p384, .sha384)
        case .es512: .ecdsa(.p521, .sha512)
        case .edDSA, .ed25519: .ed25519
        }
    }

    /// Whether two names mean the same signature: equal, or `EdDSA` and `Ed25519`.
    package func isSameSignature(as other: JWSAlgorithm) -> Bool { scheme == other.scheme }
}

extension JWSAlgorithm: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
