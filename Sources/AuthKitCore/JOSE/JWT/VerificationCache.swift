/// Remembers which tokens had a valid signature, so that a token that comes again costs no cryptography.
///
/// Kept is a keyed 128-bit hash of the whole token and the key that its signature is valid under, nothing else: the
/// algorithm, `typ` and every claim are checked each time, and a key that is not among the candidates any more counts
/// for nothing. It may be shared by verifiers. What it takes is fixed when it is made; the oldest entries make room.
public final class VerificationCache: Sendable {
    private struct Entry {
        let hash: KeyedHash.Value
        let key: VerificationKey
        let stamp: UInt64
    }

    private struct Table {
        var entries: [Entry?]
        var stamp: UInt64 = 0
    }

    /// How many entries share a place, of which the oldest goes first.
    private static let ways = 4

    private let hasher: KeyedHash
    private let table: Guarded<Table>
    private let setCount: Int

    /// Makes an empty cache of at most so many bytes; 1 MiB holds some ten thousand tokens.
    ///
    /// Fails when there is no randomness for its key.
    public init(byteCount: Int = 1 << 20) throws(CryptoError) {
        hasher = try KeyedHash()
        setCount = max(1, min(byteCount, 1 << 30) / (MemoryLayout<Entry?>.stride * Self.ways))
        table = Guarded(Table(entries: Array(repeating: nil, count: setCount * Self.ways)))
    }

    /// How many tokens it holds; counted when asked.
    public var count: Int {
        table.withLock { table in table.entries.count { $0 != nil } }
    }

    /// The hash of a token.
    func hash(of token: Span<UInt8>) -> KeyedHash.Value { hasher.hash(token) }

    /// The position of the candidate that the token's signature was found valid under.
    ///
    /// An entry for a key that is no candidate is dropped.
    func signer(of hash: KeyedHash.Value, among keys: JWKSet, _ candidates: JWKSet.Candidates) -> Int? {
        let places = places(of: hash)
        return table.withLock { table -> Int? in
            for place in places where table.entries[place]?.hash == hash {
                guard let key = table.entries[place]?.key else { continue }
                if keys.keys[candidates.first].key.isSame(as: key) { return candidates.first }
                if let other = candidates.others.first(where: { keys.keys[$0].key.isSame(as: key) }) { return other }
                table.entries[place] = nil
            }
            return nil
        }
    }

    /// Remembers that a token's signature is valid under a key.
    func remember(_ hash: KeyedHash.Value, _ key: VerificationKey) {
        let places = places(of: hash)
        table.withLock { table in
            table.stamp &+= 1
            let oldest = places.min { (table.entries[$0]?.stamp ?? 0) < (table.entries[$1]?.stamp ?? 0) }
            table.entries[oldest ?? places.lowerBound] = Entry(hash: hash, key: key, stamp: table.stamp)
        }
    }

    private func places(of hash: KeyedHash.Value) -> Range<Int> {
        let start = Int(hash.low % UInt64(setCount)) * Self.ways
        return start..<start + Self.ways
    }
}
