/// Records that this worker cannot use, and the issuers of which it claims nothing for their sake.
///
/// In a fleet whose workers know different providers or keys, what one cannot use is another's work: it is given back
/// at once, and its issuer passed over for a while. What is still there unchanged after that is nobody's, as it
/// seems. Then the issuer is looked through: what cannot be used is held, so that claims reach what lies behind it.
struct PassedOver: Sendable {
    private static let recordLimit = 4096
    /// So many issuers are passed over at most, and so many looked through.
    private static let issuerLimit = 1000

    private var records: [RecordKey: RecordVersion] = [:]
    private var left: [[UInt8]: Deadline] = [:]
    private var lookedThrough: [[UInt8]: Deadline] = [:]

    /// Notes a record; whether it is to be given back, and not to be held.
    ///
    /// Its issuer is passed over for so long, unless that is nil: where others of the issuer are renewed here.
    mutating func meet(_ record: SealedRecord, leavingIssuerFor pause: Duration?, at now: Moment) -> Bool {
        let wasMet = records[record.key] == record.version
        let issuer = record.issuerHash
        if let pause {
            if lookedThrough[issuer]?.hasPassed(at: now) == false { return false }
            if left[issuer]?.hasPassed(at: now) ?? true {
                if wasMet {
                    Self.note(issuer, in: &lookedThrough, for: pause / 2, at: now)
                    return false
                }
                Self.note(issuer, in: &left, for: pause, at: now)
            }
        } else if wasMet {
            return false
        }
        // Forgetting costs one more claim of each.
        if records.count >= Self.recordLimit { records = [:] }
        records[record.key] = record.version
        return true
    }

    /// Forgets a record: the next time it is new again, and others have their turn.
    mutating func forget(_ key: RecordKey) { records[key] = nil }

    /// The hashes of issuers that are passed over now.
    mutating func issuers(at now: Moment) -> Set<[UInt8]> {
        left = left.filter { !$0.value.hasPassed(at: now) }
        return Set(left.keys)
    }

    private static func note(
        _ issuer: [UInt8],
        in issuers: inout [[UInt8]: Deadline],
        for pause: Duration,
        at now: Moment
    ) {
        if issuers.count >= issuerLimit { issuers = issuers.filter { !$0.value.hasPassed(at: now) } }
        if issuers.count < issuerLimit { issuers[issuer] = Deadline(pause, from: now) }
    }
}
