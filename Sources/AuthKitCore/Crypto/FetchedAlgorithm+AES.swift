import COpenSSL

extension FetchedAlgorithm {
    private static let gcm128 = unsafe FetchedAlgorithm(pointer: EVP_CIPHER_fetch(nil, "AES-128-GCM", nil))
    private static let gcm192 = unsafe FetchedAlgorithm(pointer: EVP_CIPHER_fetch(nil, "AES-192-GCM", nil))
    private static let gcm256 = unsafe FetchedAlgorithm(pointer: EVP_CIPHER_fetch(nil, "AES-256-GCM", nil))
    private static let cbc128 = unsafe FetchedAlgorithm(pointer: EVP_CIPHER_fetch(nil, "AES-128-CBC", nil))
    private static let cbc192 = unsafe FetchedAlgorithm(pointer: EVP_CIPHER_fetch(nil, "AES-192-CBC", nil))
    private static let cbc256 = unsafe FetchedAlgorithm(pointer: EVP_CIPHER_fetch(nil, "AES-256-CBC", nil))
    private static let wrap128 = unsafe FetchedAlgorithm(pointer: EVP_CIPHER_fetch(nil, "AES-128-WRAP", nil))
    private static let wrap192 = unsafe FetchedAlgorithm(pointer: EVP_CIPHER_fetch(nil, "AES-192-WRAP", nil))
    private static let wrap256 = unsafe FetchedAlgorithm(pointer: EVP_CIPHER_fetch(nil, "AES-256-WRAP", nil))

    static func gcm(_ size: AESKeySize) -> FetchedAlgorithm {
        switch size {
        case .aes128: gcm128
        case .aes192: gcm192
        case .aes256: gcm256
        }
    }

    static func cbc(_ size: AESKeySize) -> FetchedAlgorithm {
        switch size {
        case .aes128: cbc128
        case .aes192: cbc192
        case .aes256: cbc256
        }
    }

    static func keyWrap(_ size: AESKeySize) -> FetchedAlgorithm {
        switch size {
        case .aes128: wrap128
        case .aes192: wrap192
        case .aes256: wrap256
        }
    }
}
