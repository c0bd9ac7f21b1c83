/// How the content encryption key of a JWE reaches its reader (RFC 7518 §4.1, RFC 8037 §3.2).
///
/// There is no value for `RSA1_5`, nor for the ones with passwords (`PBES2-…`).
public struct JWEAlgorithm: Sendable, Hashable {
    private enum Raw: String, CaseIterable {
        case rsaOAEP = "RSA-OAEP"
        case rsaOAEP256 = "RSA-OAEP-256"
        case ecdhES = "ECDH-ES"
        case ecdhESA128KW = "ECDH-ES+A128KW"
        case ecdhESA192KW = "ECDH-ES+A192KW"
        case ecdhESA256KW = "ECDH-ES+A256KW"
        case a128KW = "A128KW"
        case a192KW = "A192KW"
        case a256KW = "A256KW"
        case direct = "dir"
    }

    private let raw: Raw

    private init(_ raw: Raw) {
        self.raw = raw
    }

    /// Finds an algorithm by its exact name; nil for whatever is not supported.
    public init?(name: String) {
        guard let raw = Raw(rawValue: name) else { return nil }
        self.raw = raw
    }

    /// RSAES-OAEP with SHA-1.
    public static let rsaOAEP = Self(.rsaOAEP)
    /// RSAES-OAEP with SHA-256.
    public static let rsaOAEP256 = Self(.rsaOAEP256)
    /// An agreed key, used for the content itself.
    public static let ecdhES = Self(.ecdhES)
    /// An agreed key that wraps by A128KW.
    public static let ecdhESA128KW = Self(.ecdhESA128KW)
    /// An agreed key that wraps by A192KW.
    public static let ecdhESA192KW = Self(.ecdhESA192KW)
    /// An agreed key that wraps by A256KW.
    public static let ecdhESA256KW = Self(.ecdhESA256KW)
    /// AES Key Wrap with 128 bits.
    public static let a128KW = Self(.a128KW)
    /// AES Key Wrap with 192 bits.
    public static let a192KW = Self(.a192KW)
    /// AES Key Wrap with 256 bits.
    public static let a256KW = Self(.a256KW)
    /// A shared key, used for the content itself.
    public static let direct = Self(.direct)

    /// Every algorithm there is: for keys that are known to be for nothing else.
    public static let all: [JWEAlgorithm] = Raw.allCases.map { Self($0) }

    /// The name in a header's `alg`.
    public var name: String { raw.rawValue }

    /// What is done with the content encryption key.
    enum Management {
        case rsa(RSAOAEP)
        /// The agreed key wraps the content encryption key, or, with nil, is that key.
        case agreement(AESKeyWrap?)
        case wrap(AESKeyWrap)
        case direct
    }

    var management: Management {
        switch raw {
        case .rsaOAEP: .rsa(.sha1)
        case .rsaOAEP256: .rsa(.sha256)
        case .ecdhES: .agreement(nil)
        case .ecdhESA128KW: .agreement(AESKeyWrap(.aes128))
        case .ecdhESA192KW: .agreement(AESKeyWrap(.aes192))
        case .ecdhESA256KW: .agreement(AESKeyWrap(.aes256))
        case .a128KW: .wrap(AESKeyWrap(.aes128))
        case .a192KW: .wrap(AESKeyWrap(.aes192))
        case .a256KW: .wrap(AESKeyWrap(.aes256))
        case .direct: .direct
        }
    }

    /// How long the encrypted key of a token must be; nil when its reader's key decides.
    func encryptedKeyCount(for encryption: ContentEncryption) -> Int? {
        switch management {
        case .rsa: nil
        // RFC 7516 §5.2 step 10: an agreed or shared key leaves the part empty.
        case .agreement(nil), .direct: 0
        case .agreement, .wrap: encryption.keyCount + AESKeyWrap.growth
        }
    }
}

extension JWEAlgorithm: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
