import COpenSSL

/// What must not tell anything by its timing, or leave anything behind.
package enum ConstantTime {
    /// Compares two byte strings without stopping at the first difference; lengths are not hidden.
    package static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        unsafe left.count == right.count && (left.isEmpty || CRYPTO_memcmp(left, right, left.count) == 0)
    }

    /// Compares bytes in a time that only their number decides: eight at a time, where CRYPTO_memcmp takes one.
    ///
    /// Never inlined, so that nothing the caller knows of the bytes can shorten it.
    @inline(never)
    package static func equal(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt64 = 0
        var index = 0
        while index &+ 8 <= left.count {
            difference |= left.word(at: index) ^ right.word(at: index)
            index &+= 8
        }
        while index < left.count {
            difference |= UInt64(left[index] ^ right[index])
            index &+= 1
        }
        return difference == 0
    }

    /// Overwrites the bytes of an array within its owner likewise.
    static func wipe<let count: Int>(_ bytes: inout InlineArray<count, UInt8>) {
        unsafe withUnsafeMutableBytes(of: &bytes) { unsafe OPENSSL_cleanse($0.baseAddress, $0.count) }
    }

    /// Overwrites an array's bytes with zeros in a way that is not optimised away; its length stays.
    package static func wipe(_ bytes: inout [UInt8]) {
        unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe OPENSSL_cleanse(buffer.baseAddress, buffer.count)
        }
    }
}
