/// Which encrypted tokens are decrypted at all.
public struct JWEPolicy: Sendable, Hashable {
    /// The algorithms that may bring the key; an empty list allows nothing.
    public var algorithms: [JWEAlgorithm]
    /// The encryptions that the content may have; an empty list allows nothing.
    public var encryptions: [ContentEncryption]

    /// Makes a policy of what is allowed, and of nothing else.
    public init(algorithms: [JWEAlgorithm], encryptions: [ContentEncryption]) {
        self.algorithms = algorithms
        self.encryptions = encryptions
    }
}
