/// A set of public keys (RFC 7517 §5).
///
/// Keys that cannot be used are skipped and counted; one never spoils a set.
public struct JWKSet: Sendable {
    /// More keys than this are skipped.
    static let keyLimit = 256
    /// Behind so many keys that only libcrypto could find to be none, which takes its time, the rest is skipped.
    static let failureLimit = 256
    /// No token is tried with more keys of its kid than this; one without a kid with every key that fits.
    static let trialLimit = 16

    /// The usable keys, in order.
    public let keys: [JWK]
    /// How many elements were skipped: other types, unknown curves, broken numbers.
    public let skippedCount: Int
    /// Whether a token's kid may be any, since the only key has none.
    private let ignoresKeyID: Bool
    /// For each key a mark of its kid: other marks are other kids, so that few keys are looked at.
    private let marks: [UInt64]

    /// Makes a set of keys.
    public init(_ keys: [JWK]) {
        self.init(keys, skippedCount: 0)
    }

    /// Makes a set of one key that was named by whoever checks, not by the token.
    ///
    /// A key without a kid is tried whatever kid a token has; one with a kid only for that kid, or none.
    public init(single key: JWK) {
        self.init([key], skippedCount: 0, ignoresKeyID: key.keyID == nil)
    }

    private init(_ keys: [JWK], skippedCount: Int, ignoresKeyID: Bool = false) {
        self.keys = keys
        self.skippedCount = skippedCount
        self.ignoresKeyID = ignoresKeyID
        marks = keys.map { key in key.keyIDBytes.map { Self.mark($0.span) } ?? 0 }
    }

    /// The same set without symmetric keys, which nobody publishes who means it.
    var withoutSymmetricKeys: JWKSet {
        let kept = keys.filter { !$0.isSymmetric }
        return JWKSet(kept, skippedCount: skippedCount + keys.count - kept.count, ignoresKeyID: ignoresKeyID)
    }

    /// Reads a set; `malformed` when it is not a JSON object with a list in `keys`.
    ///
    /// Each element is read by itself: what is no acceptable object, such as one with a name twice, is skipped.
    public init(parsing bytes: [UInt8]) throws(JWTError) {
        let members: JSONMembers
        do throws(JSONError) {
            members = try JSONMembers(parsing: bytes, limits: JSONLimits(depth: 512), toleratingValues: true)
        } catch {
            throw JWTError(.malformed, "The key set cannot be read.", cause: error)
        }
        guard let elements = members.writtenElements("keys") else { throw Self.noSet }
        self.init(building: elements.lazy.map { (try? JSONValue(parsing: $0))?.object })
    }

    /// Reads a set; `malformed` when it is not a JSON object with a list in `keys`.
    public init(_ value: JSONValue) throws(JWTError) {
        guard let elements = value["keys"]?.array else { throw Self.noSet }
        self.init(building: elements.lazy.map(\.object))
    }

    private init(building elements: some Collection<JSONObject?>) {
        var keys: [JWK] = []
        var failureCount = 0
        // RFC 7517 §5: keys that are not understood or lack members are ignored.
        for case let object? in elements {
            guard keys.count < Self.keyLimit, failureCount < Self.failureLimit else { break }
            do throws(JWTError) {
                keys.append(try JWK(object))
            } catch {
                if (error.cause as? CryptoError)?.code == .operationFailed { failureCount += 1 }
            }
        }
        self.init(keys, skippedCount: elements.count - keys.count)
    }

    private static var noSet: JWTError {
        JWTError(.malformed, "A key set is a JSON object with a list in keys.")
    }

    /// The set as JSON; of symmetric keys nothing but their names.
    public var json: JSONValue { ["keys": .array(keys.map { .object($0.members) })] }

    /// Which keys a token may have been signed with, as positions in `keys`: one without memory of its own, and others.
    struct Candidates {
        let first: Int
        var others: [Int] = []
    }

    /// The keys that a token may have been signed with, a bounded number of them.
    ///
    /// By kid, type, curve, `alg`, `use` and `key_ops` together: a set may hold several keys of one kid. Fails with
    /// `key_not_found` when the kid names no key, `key_mismatch` when none of those named is for the algorithm, and
    /// `weak_key` when all of these are too short. Whoever has the mark of the kid already gives it.
    func candidates(
        for algorithm: JWSAlgorithm,
        keyID: Span<UInt8>?,
        mark known: UInt64? = nil
    ) throws(JWTError) -> Candidates {
        var (isNamed, isFitting) = (false, false)
        var candidates: Candidates?
        let scheme = algorithm.scheme
        let limit = keyID == nil ? Self.keyLimit : Self.trialLimit
        var mark: UInt64 = 0
        if let known { mark = known } else if let keyID { mark = Self.mark(keyID) }
        for position in keys.indices where isKey(at: position, named: keyID, mark) {
            isNamed = true
            guard keys[position].fits(algorithm) else { continue }
            isFitting = true
            guard !keys[position].key.isTooShort(for: scheme) else { continue }
            if let found = candidates {
                guard found.others.count < limit - 1 else { break }
                candidates?.others.append(position)
            } else {
                candidates = Candidates(first: position)
            }
        }
        if let candidates { return candidates }
        guard isNamed else {
            throw JWTError(.keyNotFound, "The key set has no key for this token; the issuer may have changed its keys.")
        }
        guard isFitting else {
            throw JWTError(.keyMismatch, "None of the keys is for a signature with \(algorithm).")
        }
        throw JWTError(.weakKey, "The key is too short for \(algorithm); ask for a longer one.")
    }

    @inline(__always)
    private func isKey(at position: Int, named keyID: Span<UInt8>?, _ mark: UInt64) -> Bool {
        guard let keyID, !ignoresKeyID else { return true }
        guard marks[position] == mark, let own = keys[position].keyIDBytes else { return false }
        return own.span.isEqual(to: keyID)
    }

    /// Tells most kids apart.
    static func mark(_ keyID: Span<UInt8>) -> UInt64 {
        var mark = UInt64(truncatingIfNeeded: keyID.count)
        var index = 0
        while index &+ 8 <= keyID.count {
            mark = (mark ^ keyID.word(at: index)) &* 0x9E37_79B9_7F4A_7C15
            mark ^= mark &>> 32
            index &+= 8
        }
        while index < keyID.count {
            mark = mark &* 31 &+ UInt64(keyID[index])
            index &+= 1
        }
        return mark
    }
}
