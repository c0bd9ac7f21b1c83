/// A signature algorithm of JOSE (RFC 7518 §3.1, RFC 8037, RFC 8812, RFC 9864).
///
/// There is no value for `none`.
public struct JWSAlgorithm: Sendable, Hashable {
    private enum Raw: String, CaseIterable {
        case hs256 = "HS256"
        case hs384 = "HS384"
        case hs512 = "HS512"
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
        case ed448 = "Ed448"
        case es256K = "ES256K"
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

    /// HMAC with SHA-256.
    public static let hs256 = Self(.hs256)
    /// HMAC with SHA-384.
    public static let hs384 = Self(.hs384)
    /// HMAC with SHA-512.
    public static let hs512 = Self(.hs512)
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
    /// EdDSA with Ed25519 or Ed448, as the key is (RFC 8037 §3.1).
    public static let edDSA = Self(.edDSA)
    /// Ed25519 by its fully specified name (RFC 9864 §2.2).
    public static let ed25519 = Self(.ed25519)
    /// Ed448 by its fully specified name (RFC 9864 §2.2).
    public static let ed448 = Self(.ed448)
    /// ECDSA on secp256k1 with SHA-256 (RFC 8812 §3.2).
    public static let es256K = Self(.es256K)

    /// Every algorithm there is, those with shared secrets too: for keys that are known to be for nothing else.
    public static let all: [JWSAlgorithm] = Raw.allCases.map { Self($0) }

    /// Every algorithm whose keys come in pairs.
    public static let asymmetric: [JWSAlgorithm] = all.filter { !$0.isSymmetric }

    /// Whether whoever can check a signature can also make one: HMAC.
    public var isSymmetric: Bool {
        if case .hmac = scheme { true } else { false }
    }

    /// The name in a header's `alg`.
    public var name: String { raw.rawValue }

    /// How the signature is made.
    package var scheme: SignatureScheme {
        switch raw {
        case .hs256: .hmac(.sha256)
        case .hs384: .hmac(.sha384)
        case .hs512: .hmac(.sha512)
        case .rs256: .rsaPKCS1(.sha256)
        case .rs384: .rsaPKCS1(.sha384)
        case .rs512: .rsaPKCS1(.sha512)
        case .ps256: .rsaPSS(.sha256)
        case .ps384: .rsaPSS(.sha384)
        case .ps512: .rsaPSS(.sha512)
        case .es256: .ecdsa(.p256, .sha256)
        case .es384: .ecdsa(.p384, .sha384)
        case .es512: .ecdsa(.p521, .sha512)
        case .edDSA: .edDSA
        case .ed25519: .ed25519
        case .ed448: .ed448
        case .es256K: .ecdsa(.secp256k1, .sha256)
        }
    }

    /// Whether a key's `alg` means this algorithm too: the same, or one of the two names of EdDSA.
    package func isNamed(by own: JWSAlgorithm) -> Bool {
        if self == own { return true }
        let (isGeneral, isOwnGeneral) = (self == .edDSA, own == .edDSA)
        let (isFull, isOwnFull) = (self == .ed25519 || self == .ed448, own == .ed25519 || own == .ed448)
        return (isGeneral && isOwnFull) || (isFull && isOwnGeneral)
    }

    /// What a token that names this algorithm may be checked with, where only those of a list are allowed.
    ///
    /// `EdDSA` is another name of Ed25519 and of Ed448: a list that has either name allows both, but with
    /// the fully specified name no more than that curve.
    package func allowed(by list: [JWSAlgorithm]) -> JWSAlgorithm? {
        if list.contains(self) { return self }
        switch self {
        case .ed25519, .ed448: return list.contains(.edDSA) ? self : nil
        case .edDSA where list.contains(.ed25519): return list.contains(.ed448) ? self : .ed25519
        case .edDSA where list.contains(.ed448): return .ed448
        default: return nil
        }
    }
}

extension JWSAlgorithm: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
