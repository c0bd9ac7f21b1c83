/// The keys of an issuer: one in use for each algorithm, and some that were.
struct KeyRing: Sendable {
    /// More rotated keys than this are not kept.
    static let retiredLimit = 8

    private let keys: [DevSigningAlgorithm: IssuerKey]
    private var retired: [IssuerKey] = []

    /// Makes a new key for each algorithm; throws `cryptography`.
    init(_ algorithms: Set<DevSigningAlgorithm>) throws(DevServerError) {
        var keys: [DevSigningAlgorithm: IssuerKey] = [:]
        for algorithm in algorithms { keys[algorithm] = try IssuerKey(algorithm) }
        self.keys = keys
    }

    /// The key that signs now.
    func current(_ algorithm: DevSigningAlgorithm) -> IssuerKey? { keys[algorithm] }

    /// What the key set shows, the keys in use first.
    var published: [IssuerKey] { DevSigningAlgorithm.allCases.compactMap { keys[$0] } + retired }

    /// Uses other keys from now on.
    mutating func rotate(to fresh: KeyRing, keepingOld: Bool) {
        let old = keepingOld ? published : []
        self = fresh
        retired = Array(old.prefix(Self.retiredLimit))
    }
}
