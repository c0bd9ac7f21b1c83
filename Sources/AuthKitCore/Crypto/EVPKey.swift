import COpenSSL

/// A key in libcrypto's hands.
// @unchecked: an EVP_PKEY is never changed after it was made and its reference count is atomic;
// each operation has a context of its own, so any number of threads may use one key.
@safe
final class EVPKey: @unchecked Sendable {
    let pointer: OpaquePointer

    private init(owning pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe EVP_PKEY_free(pointer)
    }

    /// Makes a key of its parts, never through PEM or DER: that costs twenty times a whole verification.
    static func make(
        _ type: String,
        _ parameters: borrowing ParameterList,
        isPrivate: Bool
    ) throws(CryptoError) -> EVPKey {
        let context = try EVPKeyContext.make(type: type)
        guard unsafe EVP_PKEY_fromdata_init(context.pointer) == 1 else { throw .drain("EVP_PKEY_fromdata_init") }
        let selection = isPrivate ? ak_selection_pair() : ak_selection_public()
        var raw: OpaquePointer?
        let status = unsafe parameters.withPointer { list in
            unsafe EVP_PKEY_fromdata(context.pointer, &raw, selection, list)
        }
        guard status == 1, let raw = unsafe raw else { throw .drain("EVP_PKEY_fromdata") }
        return unsafe EVPKey(owning: raw)
    }

    /// Generates a pair; for RSA the size is in bits, for EC the group is named.
    static func generate(_ type: String, rsaBits: Int32? = nil, group: String? = nil) throws(CryptoError) -> EVPKey {
        let context = try EVPKeyContext.make(type: type)
        guard unsafe EVP_PKEY_keygen_init(context.pointer) == 1 else { throw .drain("EVP_PKEY_keygen_init") }
        if let rsaBits, unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context.pointer, rsaBits) != 1 {
            throw .drain("EVP_PKEY_CTX_set_rsa_keygen_bits")
        }
        if let group, unsafe EVP_PKEY_CTX_set_group_name(context.pointer, group) != 1 {
            throw .drain("EVP_PKEY_CTX_set_group_name")
        }
        var raw: OpaquePointer?
        guard unsafe EVP_PKEY_generate(context.pointer, &raw) == 1, let raw = unsafe raw else {
            throw .drain("EVP_PKEY_generate")
        }
        return unsafe EVPKey(owning: raw)
    }

    /// The modulus size for RSA, the group's for others.
    var bits: Int { Int(unsafe EVP_PKEY_get_bits(pointer)) }

    /// What kind of key it is; nil for one that JOSE does not have.
    var kind: KeyKind? {
        let named = { (name: String) in unsafe EVP_PKEY_is_a(self.pointer, name) == 1 }
        if named("RSA") { return .rsa }
        if named("EC") { return curve.map(KeyKind.ec) }
        return KeyKind.octetKeyPairs.first { $0.libraryName.map(named) ?? false }
    }

    /// The curve of an EC key, where it is one of ours by name.
    private var curve: EllipticCurve? {
        var name: InlineArray<64, UInt8> = .init(repeating: 0)
        var count = 0
        let isNamed = unsafe withUnsafeMutableBytes(of: &name) { buffer in
            let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            return unsafe EVP_PKEY_get_group_name(pointer, start, buffer.count, &count) == 1
        }
        guard isNamed, count < name.count else { return nil }
        let text = String(decoding: (0..<count).map { name[$0] }, as: UTF8.self)
        // libcrypto has names of its own for the NIST curves (SEC 2 and X9.62).
        switch text {
        case "prime256v1": return .p256
        case "secp384r1": return .p384
        case "secp521r1": return .p521
        default: return EllipticCurve(name: text)
        }
    }

    /// Takes a key over from libcrypto, which may have failed to make it.
    static func adopt(_ raw: OpaquePointer?, from operation: String) throws(CryptoError) -> EVPKey {
        guard let raw = unsafe raw else { throw .drain(operation) }
        return unsafe EVPKey(owning: raw)
    }

    /// Whether the private half belongs to the public one, as far as libcrypto can tell.
    var isConsistent: Bool {
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil) else { return false }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        let isConsistent = unsafe EVP_PKEY_pairwise_check(context) == 1
        if !isConsistent { CryptoError.discardQueue() }
        return isConsistent
    }
}
