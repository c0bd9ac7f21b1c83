import AuthKitCore

/// A store in memory whose claims have one fault.
final class FlawedDueStore: DueTokenStore {
    enum Flaw: String, CaseIterable, Sendable {
        case latestFirst, dropsPayloads, roundsDueTimes
        case ignoresLimit
        case neglectsReserve
        case claimsTheExcluded, excludesBeyondTheLimit, claimsWhatItLeavesOut
        case endsBeforeTheTimeNamed, claimsTheFuture
        case claimsHeader, claimsWhatIsNotDue
        case claimChangesRecord
        case claimsTwice, losesSome
        case neverGivesBack
        case givesBackAnyVersion
        case claimSurvivesSave, saveEndsAllClaims
        case remembersDueTimes
        case neverLapses, lapsesAtOnce

        /// The rule that it breaks.
        var rule: String {
            switch self {
            case .latestFirst, .dropsPayloads, .roundsDueTimes: "a claim takes what is due, the earliest first, whole"
            case .ignoresLimit: "a claim takes no more than its limit, and the earliest"
            case .neglectsReserve:
                "where more is due than a claim takes, what was saved with a reserve comes first"
            case .claimsTheExcluded, .excludesBeyondTheLimit, .claimsWhatItLeavesOut:
                "a claim takes nothing of the issuers that it leaves out, and others' records in its stead"
            case .endsBeforeTheTimeNamed, .claimsTheFuture:
                "a claim takes what is due by the time that is named, and that time itself"
            case .claimsHeader, .claimsWhatIsNotDue: "the header and what is not to be renewed are never due"
            case .claimChangesRecord: "a claim changes no record and bars nobody"
            case .claimsTwice, .losesSome: "claimers at once get different records and leave none"
            case .neverGivesBack: "a claim that is given back can be taken again"
            case .givesBackAnyVersion, .lapsesAtOnce:
                "giving back a claim on another version or on nothing does nothing"
            case .claimSurvivesSave, .saveEndsAllClaims: "a save ends the claim on its record and on no other"
            case .remembersDueTimes: "a record that is saved as due no more is claimed no more"
            case .neverLapses: "a claim lapses, not before its time"
            }
        }
    }

    private struct Claim: Sendable {
        let version: RecordVersion
        let end: ContinuousClock.Instant
    }

    let flaw: Flaw
    private let sound = InMemoryStore()
    private let claims = Guarded<[RecordKey: Claim]>([:])
    private let reserved = Guarded<Set<RecordKey>>([])
    private let dueOnce = Guarded<[RecordKey: WallTime]>([:])

    /// What leaves issuers out after the choice, or not at all.
    private static let choosesFirst: Set<Flaw> = [
        .claimsTheExcluded, .excludesBeyondTheLimit, .claimsWhatItLeavesOut,
    ]

    init(_ flaw: Flaw) {
        self.flaw = flaw
    }

    func claimDue(
        before: WallTime?,
        limit: Int,
        for duration: Duration,
        excluding issuers: Set<[UInt8]>
    ) async throws -> [SealedRecord] {
        let latest = flaw == .claimsTheFuture ? WallTime(seconds: 1 << 40) : before ?? SystemTime().now.wall
        var candidates = try await sound.list(after: nil, limit: 1000)
        if flaw == .claimsHeader, let header = try await sound.load(.header) { candidates.append(header) }
        var due: [(time: WallTime, record: SealedRecord)] = []
        for candidate in candidates {
            guard var record = try await sound.load(candidate.key) else { continue }
            if flaw == .dropsPayloads { record.payload = [] }
            var time = record.due
            if flaw == .claimsWhatIsNotDue { time = time ?? WallTime(seconds: 0) }
            if flaw == .remembersDueTimes { time = time ?? dueOnce.withLock { $0[record.key] } }
            if flaw == .roundsDueTimes { time = time.map { WallTime(seconds: $0.seconds / 60 * 60) } }
            guard let time, flaw == .endsBeforeTheTimeNamed ? time < latest : time <= latest else { continue }
            due.append((time, record))
        }
        due.sort { ($0.time, $0.record.key) < ($1.time, $1.record.key) }
        if flaw == .latestFirst { due.reverse() }
        if flaw == .losesSome { due.removeLast(min(1, due.count)) }
        let now = ContinuousClock.now
        let reserved = reserved.withLock { $0 }
        let taken: [SealedRecord] = claims.withLock { claims in
            let free = due.map(\.record).filter { record in
                if !Self.choosesFirst.contains(flaw), issuers.contains(record.issuerHash) { return false }
                guard flaw != .claimsTwice, let claim = claims[record.key] else { return true }
                if flaw != .claimSurvivesSave, claim.version != record.version { return true }
                return flaw != .neverLapses && claim.end <= now
            }
            let first = flaw == .neglectsReserve ? [] : free.filter { reserved.contains($0.key) }
            let chosen = Set(
                (first + free.filter { !first.contains($0) }).prefix(flaw == .ignoresLimit ? .max : limit).map(\.key)
            )
            let taken = free.filter { chosen.contains($0.key) }
            for record in taken {
                let end = flaw == .lapsesAtOnce ? now : now + duration
                claims[record.key] = Claim(version: record.version, end: end)
            }
            guard flaw == .excludesBeyondTheLimit || flaw == .claimsWhatItLeavesOut else { return taken }
            let given = taken.filter { !issuers.contains($0.issuerHash) }
            if flaw == .excludesBeyondTheLimit {
                for record in taken where !given.contains(record) { claims[record.key] = nil }
            }
            return given
        }
        if flaw == .claimChangesRecord, var record = taken.first {
            let before = record.version
            record.metadata = []
            try await sound.save(record, replacing: before, under: nil)
        }
        return taken
    }

    func unclaim(_ key: RecordKey, expecting version: RecordVersion) async throws {
        guard flaw != .neverGivesBack else { return }
        claims.withLock { claims in
            if flaw == .givesBackAnyVersion || claims[key]?.version == version { claims[key] = nil }
        }
    }

    func save(_ record: SealedRecord, replacing: RecordVersion?, under lease: (any StoreLease)?) async throws {
        try await sound.save(record, replacing: replacing, under: lease)
        if flaw == .saveEndsAllClaims { claims.withLock { $0 = [:] } }
        reserved.withLock { keys in
            if record.reserve > 0 { keys.insert(record.key) } else { keys.remove(record.key) }
        }
        if let due = record.due { dueOnce.withLock { $0[record.key] = due } }
    }

    func load(_ key: RecordKey) async throws -> SealedRecord? { try await sound.load(key) }
    func purge(_ key: RecordKey, expecting expected: RecordVersion) async throws {
        try await sound.purge(key, expecting: expected)
    }
    func list(after key: RecordKey?, limit: Int) async throws -> [SealedRecord] {
        try await sound.list(after: key, limit: limit)
    }
    func lease(_ key: RecordKey, for purpose: LeasePurpose, waiting: Duration) async throws -> any StoreLease {
        try await sound.lease(key, for: purpose, waiting: waiting)
    }
    func probe() async throws { try await sound.probe() }
}
