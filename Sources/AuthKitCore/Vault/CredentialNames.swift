/// What a data key makes of a credential's name: keyed hashes, which are the same each time.
struct CredentialNames: Sendable {
    /// Where its record lies.
    let record: RecordKey
    /// What its lease is taken on.
    let lease: RecordKey
    /// The keyed hash of its issuer.
    let issuer: [UInt8]

    /// Those of the credentials that were asked for last, by the canonical bytes of their names.
    ///
    /// By bytes, since texts that Unicode holds for equal are different names.
    struct Table: Sendable {
        /// So many are kept, a kilobyte or less each.
        static let limit = 256

        private var known: [[UInt8]: CredentialNames] = [:]

        subscript(name: [UInt8]) -> CredentialNames? { known[name] }

        /// How many are kept.
        var count: Int { known.count }

        mutating func add(_ names: CredentialNames, for name: [UInt8]) {
            // To make them all anew now and then costs less than to know at each use which was used last.
            if known.count >= Self.limit { known.removeAll(keepingCapacity: true) }
            known[name] = names
        }
    }
}
