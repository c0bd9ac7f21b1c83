internal import AuthKitCore

/// What key is to be generated, by the name of a type, a curve or an algorithm.
struct KeyPlan: Sendable {
    /// The kind.
    let kind: GeneratedKeyKind
    /// The `alg` that it is bound to; nil where a type or curve was named.
    var algorithmName: String?
    /// The `use`.
    var use: String?

    /// Types and curves, with what they mean.
    private static let kinds: [(name: String, kind: GeneratedKeyKind)] = [
        ("RSA", .rsa()), ("EC", .p256), ("OKP", .ed25519), ("oct", .symmetric()),
        ("P-256", .p256), ("P-384", .p384), ("P-521", .p521), ("secp256k1", .secp256k1),
        ("Ed25519", .ed25519), ("Ed448", .ed448), ("X25519", .x25519),
    ]

    /// Every name, those of algorithms with them.
    static let names: [String] = {
        var names = kinds.map(\.name) + JWSAlgorithm.all.map(\.name)
        names += JWEAlgorithm.all.filter { $0 != .direct }.map(\.name) + ContentEncryption.all.map(\.name)
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }()

    /// Finds what a name means; case is as people type it.
    ///
    /// A size in bits is for RSA and oct.
    init(_ typed: String, bits: Int?, _ shape: CommandShape) throws(UsageError) {
        guard let name = Self.names.first(where: { $0.lowercased() == typed.lowercased() }) else {
            throw .unknown(typed, "key type, curve or algorithm", among: Self.names, shape)
        }
        let plan = Self.plan(name)
        (algorithmName, use) = (plan.algorithmName, plan.use)
        guard let bits else {
            kind = plan.kind
            return
        }
        switch plan.kind {
        case .rsa():
            guard (2048...8192).contains(bits), bits % 8 == 0 else {
                throw UsageError("--bits is a multiple of 8 from 2048 to 8192 for RSA.", command: shape)
            }
            kind = .rsa(bits: bits)
        case .symmetric() where name == "oct":
            guard (128...8192).contains(bits), bits % 8 == 0 else {
                throw UsageError("--bits is a multiple of 8 from 128 to 8192 for oct.", command: shape)
            }
            kind = .symmetric(byteCount: bits / 8)
        default: throw UsageError("--bits is for RSA and oct; \(name) has a size of its own.", command: shape)
        }
    }

    private init(kind: GeneratedKeyKind, algorithmName: String? = nil, use: String? = nil) {
        self.kind = kind
        self.algorithmName = algorithmName
        self.use = use
    }

    private static func plan(_ name: String) -> KeyPlan {
        if let (_, kind) = kinds.first(where: { $0.name == name }) { return KeyPlan(kind: kind) }
        if let algorithm = JWSAlgorithm(name: name) {
            return KeyPlan(kind: .fit(for: algorithm), algorithmName: name, use: "sig")
        }
        let encryption =
            JWEAlgorithm(name: name).flatMap { GeneratedKeyKind.fit(for: $0) }
            ?? ContentEncryption(name: name).map { .fit(for: $0) }
        return KeyPlan(kind: encryption ?? .symmetric(), algorithmName: name, use: "enc")
    }
}
