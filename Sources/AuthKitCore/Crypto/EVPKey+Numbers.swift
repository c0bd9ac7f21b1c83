import COpenSSL

extension EVPKey {
    /// Whether the key has a number.
    func has(_ name: ParameterName) -> Bool {
        var number: OpaquePointer?
        let isThere = unsafe EVP_PKEY_get_bn_param(pointer, name.pointer, &number) == 1
        unsafe BN_clear_free(number)
        if !isThere { CryptoError.discardQueue() }
        return isThere
    }

    /// Reads an unsigned integer as big-endian bytes, padded in front to a count where one is given.
    func integer(_ name: ParameterName, paddedTo count: Int? = nil) throws(CryptoError) -> [UInt8] {
        var number: OpaquePointer?
        guard unsafe EVP_PKEY_get_bn_param(pointer, name.pointer, &number) == 1, let number = unsafe number else {
            throw .drain("EVP_PKEY_get_bn_param")
        }
        defer { unsafe BN_clear_free(number) }
        let length = count ?? (Int(unsafe BN_num_bits(number)) + 7) / 8
        var bytes = [UInt8](repeating: 0, count: length)
        guard unsafe BN_bn2binpad(number, &bytes, Int32(length)) == Int32(length) else { throw .drain("BN_bn2binpad") }
        return bytes
    }

    /// Reads the raw public key of an octet key pair.
    func rawPublicKey(count: Int) throws(CryptoError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var length = count
        guard unsafe EVP_PKEY_get_raw_public_key(pointer, &bytes, &length) == 1, length == count else {
            throw .drain("EVP_PKEY_get_raw_public_key")
        }
        return bytes
    }

    /// Reads the raw private key of an octet key pair.
    func rawPrivateKey(count: Int) throws(CryptoError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var length = count
        guard unsafe EVP_PKEY_get_raw_private_key(pointer, &bytes, &length) == 1, length == count else {
            throw .drain("EVP_PKEY_get_raw_private_key")
        }
        return bytes
    }
}
