#if Postgres
import AuthKitCore
import Dispatch
import Foundation
import StorePostgres
import Synchronization

/// One worker process: works until SIGTERM, then winds up and prints what it has done as one line of JSON.
struct ProofWorker {
    private let options: ProofOptions

    init(_ options: ProofOptions) {
        self.options = options
    }

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        guard let address = environment["PROOF_ADDRESS"], let key = environment["PROOF_KEY"] else {
            throw ProofError("A worker is started by 'run'.")
        }
        var storeOptions = PostgresStore.Options()
        storeOptions.connectionLimit = 8
        storeOptions.leaseDuration = .seconds(4)
        storeOptions.reconnectLimit = .seconds(60)
        let store = FencedCount(try await PostgresStore.open(address, options: storeOptions))
        let vault = try await Vault.open(store, keySource: EnvironmentKey(name: "key") { _ in key })
        var workerOptions = RefreshWorker.Options()
        let limit = RefreshLimits.Limit(perSecond: options.rate, burst: 8, concurrent: options.concurrent)
        workerOptions.limits = RefreshLimits(total: limit, perIssuer: limit)
        workerOptions.claimDuration = .seconds(15)
        workerOptions.pollInterval = .milliseconds(500)
        let lines = options.issuer == 0 ? nil : IssuerLines(options.issuer)
        let provider = ProofProvider(number: options.number, lines: lines)
        let worker = try RefreshWorker(vault: vault, options: workerOptions) { credential in
            credential.id.provider == ProofCredential.kind ? provider : nil
        }
        signal(SIGTERM, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGTERM)
        source.setEventHandler { Task { await worker.drain() } }
        source.activate()
        emit("ready")
        await worker.run()
        source.cancel()
        let counts = await worker.counts
        emit(
            "done renewed=\(counts.renewed) claimed=\(counts.claimed) late=\(counts.late) busy=\(counts.busy) "
                + "failed=\(counts.failed) stopped=\(counts.stopped) damaged=\(counts.damaged) "
                + "store-failures=\(counts.storeFailures) fenced=\(store.refused)"
        )
    }
}

/// A store that counts the saves that its fencing refused.
final class FencedCount: DueTokenStore {
    private let base: PostgresStore
    private let count = Atomic(0)

    init(_ base: PostgresStore) {
        self.base = base
    }

    /// Saves refused with `lease_lost`.
    var refused: Int { count.load(ordering: .relaxed) }

    func load(_ key: RecordKey) async throws -> SealedRecord? { try await base.load(key) }

    func save(_ record: SealedRecord, replacing: RecordVersion?, under lease: (any StoreLease)?) async throws {
        do {
            try await base.save(record, replacing: replacing, under: lease)
        } catch let error as StoreError where error.code == .leaseLost {
            count.add(1, ordering: .relaxed)
            throw error
        }
    }

    func purge(_ key: RecordKey, expecting: RecordVersion) async throws {
        try await base.purge(key, expecting: expecting)
    }

    func list(after key: RecordKey?, limit: Int) async throws -> [SealedRecord] {
        try await base.list(after: key, limit: limit)
    }

    func lease(_ key: RecordKey, for purpose: LeasePurpose, waiting: Duration) async throws -> any StoreLease {
        try await base.lease(key, for: purpose, waiting: waiting)
    }

    func probe() async throws { try await base.probe() }

    func claimDue(
        before: WallTime?,
        limit: Int,
        for duration: Duration,
        excluding issuers: Set<[UInt8]>
    ) async throws -> [SealedRecord] {
        try await base.claimDue(before: before, limit: limit, for: duration, excluding: issuers)
    }

    func unclaim(_ key: RecordKey, expecting version: RecordVersion) async throws {
        try await base.unclaim(key, expecting: version)
    }
}
#endif
