/// What scrypt (RFC 7914) is asked for when it stretches a passphrase.
package struct ScryptCost: Sendable, Hashable {
    /// The most memory that parameters from a file may ask for.
    package static let memoryLimit = 256 << 20
    /// What is written: N = 2^17, r = 8, p = 1, which takes 128 MiB.
    package static let standard = ScryptCost(n: 1 << 17, r: 8, p: 1)

    /// The cost, a power of two.
    package let n: UInt64
    /// The block size.
    package let r: UInt32
    /// The parallelism.
    package let p: UInt32

    /// Makes parameters.
    package init(n: UInt64, r: UInt32, p: UInt32) {
        self.n = n
        self.r = r
        self.p = p
    }

    /// Whether these are parameters that a file of ours may ask for.
    package var isAcceptable: Bool {
        n.nonzeroBitCount == 1 && n > 1 && n <= 1 << 20 && (1...32).contains(r) && (1...16).contains(p)
            && 128 * n * UInt64(r) <= UInt64(Self.memoryLimit)
    }

    /// Stretches a passphrase into 32 bytes.
    package func key(from passphrase: borrowing SecretBytes, salt: [UInt8]) throws -> SecretBytes {
        // OpenSSL counts a little more than 128·N·r; twice the cap of what we accept leaves room for it.
        try Scrypt.derive(
            password: passphrase,
            salt: salt,
            n: n,
            r: r,
            p: p,
            memoryLimit: 2 * Self.memoryLimit,
            count: 32
        )
    }
}
