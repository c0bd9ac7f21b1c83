/// How the content of a JWE is encrypted and authenticated (RFC 7518 §5.1).
public struct ContentEncryption: Sendable, Hashable {
    private enum Raw: String, CaseIterable {
        case a128GCM = "A128GCM"
        case a192GCM = "A192GCM"
        case a256GCM = "A256GCM"
        case a128CBCHS256 = "A128CBC-HS256"
        case a192CBCHS384 = "A192CBC-HS384"
        case a256CBCHS512 = "A256CBC-HS512"
    }

    private enum Cipher {
        case gcm(AESGCM)
        case cbc(AESCBCHMAC)
    }

    private let raw: Raw

    private init(_ raw: Raw) {
        self.raw = raw
    }

    /// Finds an encryption by its exact name; nil for whatever is not supported.
    public init?(name: String) {
        guard let raw = Raw(rawValue: name) else { return nil }
        self.raw = raw
    }

    /// AES-GCM with 128 bits.
    public static let a128GCM = Self(.a128GCM)
    /// AES-GCM with 192 bits.
    public static let a192GCM = Self(.a192GCM)
    /// AES-GCM with 256 bits.
    public static let a256GCM = Self(.a256GCM)
    /// AES-CBC with 128 bits and HMAC-SHA-256.
    public static let a128CBCHS256 = Self(.a128CBCHS256)
    /// AES-CBC with 192 bits and HMAC-SHA-384.
    public static let a192CBCHS384 = Self(.a192CBCHS384)
    /// AES-CBC with 256 bits and HMAC-SHA-512.
    public static let a256CBCHS512 = Self(.a256CBCHS512)

    /// Every encryption there is.
    public static let all: [ContentEncryption] = Raw.allCases.map { Self($0) }

    /// The name in a header's `enc`.
    public var name: String { raw.rawValue }

    private var cipher: Cipher {
        switch raw {
        case .a128GCM: .gcm(AESGCM(.aes128))
        case .a192GCM: .gcm(AESGCM(.aes192))
        case .a256GCM: .gcm(AESGCM(.aes256))
        case .a128CBCHS256: .cbc(AESCBCHMAC(.aes128))
        case .a192CBCHS384: .cbc(AESCBCHMAC(.aes192))
        case .a256CBCHS512: .cbc(AESCBCHMAC(.aes256))
        }
    }

    /// How many bytes a content encryption key has.
    package var keyCount: Int {
        switch cipher {
        case .gcm(let cipher): cipher.keySize.byteCount
        case .cbc(let cipher): cipher.keyCount
        }
    }

    var ivCount: Int {
        switch cipher {
        case .gcm: AESGCM.nonceCount
        case .cbc: AESCBCHMAC.ivCount
        }
    }

    var tagCount: Int {
        switch cipher {
        case .gcm: AESGCM.tagCount
        case .cbc(let cipher): cipher.tagCount
        }
    }

    /// Seals into ciphertext followed by the tag.
    func seal(
        _ plaintext: [UInt8],
        key: borrowing SecretBytes,
        iv: [UInt8],
        authenticating data: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        switch cipher {
        case .gcm(let cipher): try cipher.seal(plaintext, key: key, nonce: iv, authenticating: data)
        case .cbc(let cipher): try cipher.seal(plaintext, key: key, iv: iv, authenticating: data)
        }
    }

    /// Opens what `seal` made.
    func open(
        _ sealed: [UInt8],
        key: borrowing SecretBytes,
        iv: [UInt8],
        authenticating data: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        switch cipher {
        case .gcm(let cipher): try cipher.open(sealed, key: key, nonce: iv, authenticating: data)
        case .cbc(let cipher): try cipher.open(sealed, key: key, iv: iv, authenticating: data)
        }
    }
}

extension ContentEncryption: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
