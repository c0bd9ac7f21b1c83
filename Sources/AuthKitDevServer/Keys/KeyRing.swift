/// The keys of an issuer: one in use for each algorithm, and some that were.
struct KeyRing: Sendable {
    /// More rotated keys than this are not kept.
    static let retiredLimit = 8

    private var rsa: IssuerKey
    private var ellipticCurve: IssuerKey
    private var retired: [IssuerKey] = []

    /// Makes new keys; throws `cryptography`.
    init() throws(DevServerError) {
        rsa = try IssuerKey(.rs256)
        ellipticCurve = try IssuerKey(.es256)
    }

    /// The key that signs now.
    func current(_ algorithm: DevSigningAlgorithm) -> IssuerKey {
        switch algorithm {
        case .rs256: rsa
        case .es256: ellipticCurve
        }
    }

    /// What the key set shows, the keys in use first.
    var published: [IssuerKey] { [rsa, ellipticCurve] + retired }

    /// Uses other keys from now on.
    mutating func rotate(to fresh: KeyRing, keepingOld: Bool) {
        let old = keepingOld ? published : []
        self = fresh
        retired = Array(old.prefix(Self.retiredLimit))
    }
}
