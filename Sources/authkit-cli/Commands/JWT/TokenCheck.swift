internal import AuthKitCore

/// What a token is checked for, as flags or a line of a batch say.
struct TokenCheck: Sendable, Hashable {
    /// Clocks may not differ by so much or more.
    static let skewLimit = Duration.seconds(360)
    /// No time further from 1970 is one that anybody means.
    private static let timeLimit = Duration.seconds(1 << 53)

    /// The algorithms that may be used; nil for those that the keys allow.
    var algorithms: [JWSAlgorithm]?
    /// What `iss` must be.
    var issuer: String?
    /// What must be among `aud`.
    var audience: String?
    /// What `typ` must be.
    var type: String?
    /// What `nonce` must be.
    var nonce: String?
    /// Whether `exp` must be there.
    var requiresExpiry = false
    /// How far clocks may differ.
    var clockSkew = Duration.seconds(60)
    /// Whether no claim is looked at.
    var isSignatureOnly = false

    /// Whether something is asked of the claims or the type, beyond the times that are always looked at.
    var checksClaims: Bool { requiresExpiry || [issuer, audience, type, nonce].contains { $0 != nil } }

    /// How many bytes the names that are asked for have.
    var nameByteCount: Int {
        [issuer, audience, type, nonce].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    }

    /// Reads seconds since 1970, fractions allowed; nil for what is no number or no time.
    static func time(_ value: JSONValue) -> WallTime? {
        guard let seconds = value.number?.seconds, (.zero - timeLimit...timeLimit).contains(seconds) else { return nil }
        return WallTime(sinceEpoch: seconds)
    }

    /// The policy over some keys.
    ///
    /// The command's contract: what nobody asked for is free, as the help of each flag says.
    func policy(for keys: JWKSet) -> JWTPolicy {
        JWTPolicy(
            algorithms: algorithms ?? keys.suitableAlgorithms,
            issuer: issuer.map { .exactly($0) } ?? .insecureAny,
            audience: audience.map { .exactly($0) } ?? .insecureAny,
            nonce: nonce,
            requiredClaims: requiresExpiry ? ["exp"] : [],
            type: type.map { .oneOf([$0]) } ?? .insecureAny,
            clockSkew: clockSkew
        )
    }
}

extension TokenCheck {
    /// The flags that say what is checked.
    static let flags: [Flag] = [
        Flag("alg", .text("NAMES"), help: "the algorithms allowed, comma-separated; those of the keys unless given"),
        Flag("expect-issuer", .text("NAME"), help: "what iss must be; free unless given"),
        Flag("audience", .text("NAME"), help: "what must be among aud; free unless given"),
        Flag("typ", .text("TYPE"), help: "what typ must be, such as at+jwt; free unless given"),
        Flag("nonce", .text("TEXT"), help: "what nonce must be"),
        Flag("access-token-file", .file("FILE"), help: "the access token that at_hash must be of"),
        Flag("require-exp", help: "refuse a token that has no exp"),
        Flag("clock-skew", .text("SECONDS"), help: "how far clocks may differ, below 360; 60 unless given"),
        Flag("at", .text("UNIX_SECONDS"), help: "check as of this time instead of now"),
        Flag("signature-only", help: "check no claim; the payload need not be JSON"),
    ]

    /// Flags whose checks would be left out silently by `--signature-only`.
    private static let claimFlags = [
        "expect-issuer", "audience", "typ", "nonce", "access-token-file", "require-exp", "clock-skew", "at",
    ]

    /// Reads the flags; algorithms of no known name allow nothing, which is told.
    init(_ arguments: ParsedArguments, _ console: Console) throws(UsageError) {
        isSignatureOnly = arguments.has("signature-only")
        if isSignatureOnly, let flag = Self.claimFlags.first(where: arguments.has) {
            throw UsageError(
                "With --signature-only nothing is checked by --\(flag); leave one out.",
                command: arguments.shape
            )
        }
        issuer = arguments.value("expect-issuer")
        audience = arguments.value("audience")
        type = arguments.value("typ")
        nonce = arguments.value("nonce")
        requiresExpiry = arguments.has("require-exp")
        if let skew = try arguments.seconds("clock-skew") {
            guard skew < Self.skewLimit else {
                throw UsageError("--clock-skew is below 360 seconds.", command: arguments.shape)
            }
            clockSkew = skew
        }
        if let list = arguments.value("alg") {
            // Its parts alone would not look like what they are from.
            if let look = SecretLook(list), look.isCertain {
                throw UsageError("--alg takes names of algorithms, not \(look.name).", command: arguments.shape)
            }
            let names = list.split(separator: ",").map { $0.trimmingSpaces() }.filter { !$0.isEmpty }
            algorithms = names.compactMap(JWSAlgorithm.init(name:))
            for name in names where JWSAlgorithm(name: name) == nil {
                console.warn("\(SafeText.quoted(name)) is no algorithm that is known here; it allows nothing.")
            }
        }
    }

    /// `--at`; nil without it.
    static func moment(_ arguments: ParsedArguments) throws(UsageError) -> WallTime? {
        guard let text = arguments.value("at") else { return nil }
        guard let value = try? JSONValue(parsing: Array(text.utf8)), let time = time(value) else {
            throw UsageError(
                "--at takes seconds since 1970, such as 1767225600; it was given \(SafeText.quoted(text)).",
                command: arguments.shape
            )
        }
        return time
    }
}

extension JWKSet {
    /// The algorithms that the keys allow by type, curve and `alg`.
    ///
    /// Their `use` and `key_ops` are judged with the token, where the reason can be told. Where the keys allow nothing,
    /// any algorithm leads to the reason why none of them fits.
    fileprivate var suitableAlgorithms: [JWSAlgorithm] {
        let suitable = JWSAlgorithm.all.filter { algorithm in
            keys.contains { key in
                guard algorithm.scheme.fits(key.key.kind) else { return false }
                guard let name = key.algorithmName else { return true }
                return JWSAlgorithm(name: name).map { algorithm.allowed(by: [$0]) != nil } ?? false
            }
        }
        return suitable.isEmpty ? JWSAlgorithm.all : suitable
    }
}
