import AuthKitCore

/// A store in memory with one fault in it.
final class FlawedStore: TokenStore {
    enum Flaw: String, CaseIterable, Sendable {
        case ignoresVersion = "saving anew over a record is a conflict and changes nothing"
        case ignoresRevision = "saving over another revision is a conflict and changes nothing"
        case ignoresIncarnation = "saving over another incarnation is a conflict and changes nothing"
        case savesOverNothing = "saving over a record that is not there is a conflict and makes none"
        case checksThenWrites = "of fifty writers at once exactly one wins each round"
        case losesLastByte = "payloads of no byte and of a mebibyte are kept byte for byte"
        case losesNanoseconds = "a saved record is loaded with every column as it was"
        case keepsReserve = "the reserve is taken and is not part of the record"
        case probeMakesRecord = "a probe works and touches no record"
        case listsPayloads = "a list is ordered by key, has no payloads and all else"
        case listsHeader = "the header is not listed"
        case listIncludesStart = "pages join without gap or repeat"
        case purgesAnything = "purging removes the version expected and no other"
        case leasesToAll = "a lease that is held is refused to others at once when they do not wait"
        case leaseHeldTwice = "a lease taken by twenty tasks at once is never held twice"
        case oneLeaseForAllKeys = "leases of other keys and other purposes are independent"
        case neverWaits = "a waiter gets the lease when it is released"
        case waitsForever = "a wait that is over ends in busy, not before its time"
        case cancelledWaiterStays = "a cancelled waiter returns at once and takes nothing"
        case ignoresCancellation = "a task that is cancelled already gets no lease"
        case doubleReleaseHurts = "releasing twice does not release the next holder's lease"
        case releasedStaysConfirmed = "a released lease is confirmed and extended no more"
        case releasedLeaseSaves = "a save under a lease that was given back is refused where leases have numbers"
        case waitersLastFirst = "waiters of one process are served in order of arrival"
        case waitsHoldUpSaves = "waiting for a lease holds up no other call"

        /// The rule that it breaks.
        var rule: String { rawValue }
    }

    let flaw: Flaw
    private let sound = InMemoryStore()
    private let waiting = Guarded(0)

    init(_ flaw: Flaw) {
        self.flaw = flaw
    }

    func load(_ key: RecordKey) async throws -> SealedRecord? {
        var record = try await sound.load(key)
        switch flaw {
        case .losesLastByte: if record?.payload.count ?? 0 > 1000 { record?.payload.removeLast() }
        case .losesNanoseconds: if let due = record?.due { record?.due = WallTime(seconds: due.seconds) }
        case .keepsReserve: record?.reserve = 1
        default: break
        }
        return record
    }

    func save(_ record: SealedRecord, replacing: RecordVersion?, under lease: (any StoreLease)?) async throws {
        let stored = try await sound.load(record.key)?.version
        var expected = replacing
        switch flaw {
        case .ignoresVersion: expected = stored
        case .ignoresRevision where stored?.incarnation == expected?.incarnation: expected = stored
        case .ignoresIncarnation where stored?.revision == expected?.revision: expected = stored
        case .checksThenWrites:
            guard stored == expected else { break }
            await Task.yield()
            expected = try await sound.load(record.key)?.version
        case .savesOverNothing where stored == nil: expected = nil
        case .waitsHoldUpSaves: while waiting.withLock({ $0 }) > 1 { try await Task.sleep(for: .milliseconds(10)) }
        default: break
        }
        try await sound.save(record, replacing: expected, under: lease)
    }

    func purge(_ key: RecordKey, expecting expected: RecordVersion) async throws {
        switch flaw {
        case .purgesAnything:
            guard let stored = try await sound.load(key)?.version else { return }
            try await sound.purge(key, expecting: stored)
        default: try await sound.purge(key, expecting: expected)
        }
    }

    func list(after key: RecordKey?, limit: Int) async throws -> [SealedRecord] {
        var records = try await sound.list(after: key, limit: limit)
        switch flaw {
        case .listsPayloads: for index in records.indices { records[index].payload = [1, 2, 3] }
        case .listsHeader: records = [try await sound.load(.header)].compactMap { $0 } + records
        case .listIncludesStart:
            if let key, let first = try await sound.load(key) { records = [first] + records.dropLast() }
        default: break
        }
        return records
    }

    func lease(_ key: RecordKey, for purpose: LeasePurpose, waiting: Duration) async throws -> any StoreLease {
        switch flaw {
        case .leasesToAll, .leaseHeldTwice: return UnrealLease()
        case .oneLeaseForAllKeys: return try await sound.lease(.header, for: purpose, waiting: waiting)
        case .neverWaits: return try await sound.lease(key, for: purpose, waiting: .zero)
        case .waitsForever: return try await sound.lease(key, for: purpose, waiting: waiting + .seconds(3600))
        case .waitsHoldUpSaves:
            self.waiting.withLock { $0 += 1 }
            return try await sound.lease(key, for: purpose, waiting: waiting)
        case .cancelledWaiterStays, .ignoresCancellation:
            let task = Task { try await sound.lease(key, for: purpose, waiting: waiting) }
            return try await task.value
        case .doubleReleaseHurts, .releasedStaysConfirmed:
            return FlawedLease(
                of: try await sound.lease(key, for: purpose, waiting: waiting),
                flaw,
                sound,
                key,
                purpose
            )
        case .releasedLeaseSaves:
            return NumberedLease(of: try await sound.lease(key, for: purpose, waiting: waiting))
        case .waitersLastFirst:
            return try await lastFirst(key, purpose, waiting)
        default: return try await sound.lease(key, for: purpose, waiting: waiting)
        }
    }

    func probe() async throws {
        guard flaw == .probeMakesRecord, let key = RecordKey(bytes: [UInt8](repeating: 1, count: 32)) else { return }
        let version = RecordVersion(incarnation: try .draw(), revision: 1)
        let record = SealedRecord(
            key: key,
            version: version,
            keyID: [],
            issuerHash: [],
            due: nil,
            metadata: [],
            payload: []
        )
        try await sound.save(record, replacing: try await sound.load(key)?.version, under: nil)
    }

    /// Polls, and the more have come later the longer it pauses: the last to come is served first.
    private func lastFirst(
        _ key: RecordKey,
        _ purpose: LeasePurpose,
        _ limit: Duration
    ) async throws -> any StoreLease {
        let mine = waiting.withLock { count in
            count += 1
            return count
        }
        let end = ContinuousClock.now + limit
        while true {
            do {
                return try await sound.lease(key, for: purpose, waiting: .zero)
            } catch let error as StoreError where error.code == .busy && ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(2 + 40 * max(0, 6 - mine)))
            }
        }
    }
}

private struct UnrealLease: StoreLease {
    var fencingNumber: Int64? { nil }
    func confirm() async throws {}
    func extend() async throws {}
    func release() async {}
}

/// Has a number that no save looks at.
private struct NumberedLease: StoreLease {
    private let sound: any StoreLease

    init(of sound: any StoreLease) {
        self.sound = sound
    }

    var fencingNumber: Int64? { 1 }
    func confirm() async throws { try await sound.confirm() }
    func extend() async throws { try await sound.extend() }
    func release() async { await sound.release() }
}

/// Lets go of whatever lease there is at a second release, or never says that it is gone.
private final class FlawedLease: StoreLease {
    private let sound: any StoreLease
    private let flaw: FlawedStore.Flaw
    private static let current = Guarded<[RecordKey: any StoreLease]>([:])
    private let key: RecordKey

    init(
        of sound: any StoreLease,
        _ flaw: FlawedStore.Flaw,
        _ store: InMemoryStore,
        _ key: RecordKey,
        _ purpose: LeasePurpose
    ) {
        self.sound = sound
        self.flaw = flaw
        self.key = key
        if flaw == .doubleReleaseHurts { Self.current.withLock { $0[key] = sound } }
    }

    var fencingNumber: Int64? { nil }

    func confirm() async throws {
        if flaw != .releasedStaysConfirmed { try await sound.confirm() }
    }

    func extend() async throws { try await confirm() }

    func release() async {
        await sound.release()
        if flaw == .doubleReleaseHurts { await Self.current.withLock { $0[key] }?.release() }
    }
}
