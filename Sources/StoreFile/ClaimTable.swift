internal import AuthKitCore

/// Which versions of which records workers have claimed, and until when on the boot clock.
///
/// What cannot be read, or was written before this boot, claims nothing: claims divide work and protect nothing.
struct ClaimTable {
    private struct Claim {
        let version: RecordVersion
        let term: ClaimTerm
    }

    private static let magic = Array("AKFC1".utf8)
    private let boot: String
    private var claims: [RecordKey: Claim] = [:]

    /// Reads the claims that have not lapsed.
    init(parsing bytes: [UInt8], at now: Moment) {
        boot = now.boot
        var reader = LengthPrefixedReader(bytes, from: 0)
        guard reader.next() == Self.magic, reader.next() == Array(now.boot.utf8) else { return }
        while let entry = reader.next(), entry.count == 64 {
            guard let key = RecordKey(bytes: Array(entry[0..<32])),
                let incarnation = Incarnation(bytes: Array(entry[32..<48])),
                let revision = BigEndian.integer(Array(entry[48..<56])),
                let end = BigEndian.integer(Array(entry[56..<64]))
            else { continue }
            let term = ClaimTerm(boot: now.boot, end: end)
            guard term.holds(at: now) else { continue }
            claims[key] = Claim(version: RecordVersion(incarnation: incarnation, revision: revision), term: term)
        }
    }

    /// The version of a record that is claimed.
    subscript(key: RecordKey) -> RecordVersion? { claims[key]?.version }

    mutating func add(_ key: RecordKey, _ version: RecordVersion, _ term: ClaimTerm) {
        claims[key] = Claim(version: version, term: term)
    }

    mutating func remove(_ key: RecordKey) { claims[key] = nil }

    /// The stored form.
    var bytes: [UInt8] {
        let entries = claims.map { key, claim in
            key.bytes + claim.version.incarnation.bytes + BigEndian.bytes(claim.version.revision)
                + BigEndian.bytes(claim.term.end)
        }
        return LengthPrefixed.bytes([Self.magic, Array(boot.utf8)] + entries)
    }
}

extension RecordFolder {
    private static let claimsName = "claims"

    /// Reads the claims; whoever does holds their lock.
    func claims(at now: Moment) throws(StoreError) -> ClaimTable {
        guard let file = try directory.openExisting(Self.claimsName) else { return ClaimTable(parsing: [], at: now) }
        return ClaimTable(parsing: try file.read(at: 0, count: min(try file.size(), RecordFile.sizeLimit)), at: now)
    }

    /// Writes the claims; a write that is cut off claims nothing.
    func write(_ claims: ClaimTable) throws(StoreError) {
        try directory.openFile(Self.claimsName).replaceContents(with: claims.bytes)
    }
}
