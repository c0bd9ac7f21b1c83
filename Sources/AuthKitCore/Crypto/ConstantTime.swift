import COpenSSL

/// What must not tell anything by its timing, or leave anything behind.
package enum ConstantTime {
    /// Compares two byte strings without stopping at the first difference; lengths are not hidden.
    package static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        unsafe left.count == right.count && (left.isEmpty || CRYPTO_memcmp(left, right, left.count) == 0)
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
