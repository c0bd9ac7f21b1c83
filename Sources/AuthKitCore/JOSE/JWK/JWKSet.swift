/// A set of public keys (RFC 7517 §5).
///
/// Keys that cannot be used are skipped and counted; one never spoils a set.
public struct JWKSet: Sendable {
    /// More keys than this are skipped.
    static let keyLimit = 256
    /// No token is tried with more keys than this.
    static let trialLimit = 16

    /// The usable keys, in order.
    public let keys: [JWK]
    /// How many elements were skipped: other types, unknown curves, broken numbers.
    public let skippedCount: Int

    /// Makes a set of keys.
    public init(_ keys: [JWK]) {
        self.keys = keys
        skippedCount = 0
    }

    /// Reads a set; `malformed` when it is not a JSON object with a list in `keys`.
    public init(parsing bytes: [UInt8]) throws(JWTError) {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw JWTError(.malformed, "The key set cannot be read.", cause: error)
        }
        try self.init(value)
    }

    /// Reads a set; `malformed` when it is not a JSON object with a list in `keys`.
    public init(_ value: JSONValue) throws(JWTError) {
        guard let elements = value["keys"]?.array else {
            throw JWTError(.malformed, "A key set is a JSON object with a list in keys.")
        }
        var keys: [JWK] = []
        // RFC 7517 §5: keys that are not understood or lack members are ignored.
        for element in elements where keys.count < Self.keyLimit {
            guard let object = element.object, let key = try? JWK(object) else { continue }
            keys.append(key)
        }
        self.keys = keys
        skippedCount = elements.count - keys.count
    }

    /// The set as JSON.
    public var json: JSONValue { ["keys": .array(keys.map { .object($0.members) })] }

    /// The keys that a token may have been signed with, a bounded number of them.
    ///
    /// By kid, type, curve, `alg`, `use` and `key_ops` together: a set may hold several keys of one kid. Fails with
    /// `key_not_found` when the kid names no key, `key_mismatch` when none of those named is for the algorithm, and
    /// `weak_key` when all of these are too short.
    func candidates(for algorithm: JWSAlgorithm, keyID: String?) throws(JWTError) -> [JWK] {
        let named = keyID.map { id in keys.filter { $0.keyID?.hasSameBytes(as: id) == true } } ?? keys
        guard !named.isEmpty else {
            throw JWTError(.keyNotFound, "The key set has no key for this token; the issuer may have changed its keys.")
        }
        let fitting = named.filter { $0.fits(algorithm) }
        guard !fitting.isEmpty else {
            throw JWTError(.keyMismatch, "None of the keys is for a signature with \(algorithm).")
        }
        let strong = fitting.filter { !$0.isWeak }
        guard !strong.isEmpty else {
            throw JWTError(.weakKey, "The issuer's RSA key is shorter than 2048 bits; ask for a longer one.")
        }
        return Array(strong.prefix(Self.trialLimit))
    }
}
