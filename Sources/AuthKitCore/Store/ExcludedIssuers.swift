/// The issuers that a claim leaves out, as stores put them into one value of a statement.
package enum ExcludedIssuers {
    /// So many are heeded.
    package static let limit = 1000
    /// Bytes of a hash.
    package static let hashCount = 32

    /// The hashes one after the other.
    package static func bytes(_ issuers: Set<[UInt8]>) -> [UInt8] {
        Array(issuers.lazy.filter { $0.count == hashCount }.prefix(limit).joined())
    }
}
