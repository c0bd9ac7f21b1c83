/// An issuer's published keys: fetched when needed, kept, and renewed within bounds.
///
/// The set is kept for its time to live; when it cannot be renewed then, the last good one stays in use through an
/// outage. All who wait share one request, which belongs to this actor: a cancelled caller fails nobody else.
public actor RemoteJWKSet {
    /// What a key set was, and which one of the sequence.
    struct Snapshot: Sendable {
        let keys: JWKSet
        let version: Int
    }

    /// Why a token is not explained by the keys at hand.
    enum Doubt: Sendable, Hashable {
        case unknownKey(String?)
        case badSignature(String?)

        /// Whether other keys could change an error.
        static func isRaised(by error: JWTError) -> Bool { Self(error, keyID: nil) != nil }

        /// The doubt that an error raises; nil when other keys would not change it.
        init?(_ error: JWTError, keyID: String?) {
            // Kids come from strangers: what is kept of one is bounded.
            let keyID = keyID.map { String(decoding: Array($0.utf8.prefix(256)), as: UTF8.self) }
            switch error.code {
            case .keyNotFound, .keyMismatch, .weakKey: self = .unknownKey(keyID)
            case .badSignature: self = .badSignature(keyID)
            default: return nil
            }
        }
    }

    private struct Held {
        var snapshot: Snapshot
        var source: [UInt8]
        var fetchedAt: Moment
    }

    /// What those who only read need to know: one reference, so that it is taken quickly.
    private final class Published: Sendable {
        let snapshot: Snapshot
        let fetchedAt: ClockReading

        init(_ held: Held) {
            snapshot = held.snapshot
            fetchedAt = ClockReading(held.fetchedAt)
        }
    }

    private enum State {
        case idle
        case fetching
    }

    /// Where the keys are published.
    public nonisolated let url: WebURL
    private let transport: any HTTPTransport
    private let time: any TimeSource
    private let tls: TLSOptions
    private let timeToLive: Duration
    private let timeToLiveInNanoseconds: Int64
    private let outageTolerance: Duration
    private var budget: RefetchBudget
    private var held: Held? {
        didSet { publish(held) }
    }
    private nonisolated let published = Guarded<Published?>(nil)
    private var state = State.idle
    private var failure: (error: any Error, at: Moment, count: Int)?
    private var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
    private var nextWaiter = 0

    /// Makes a set; nothing is fetched before the first token.
    ///
    /// Fails with `insecure_url` unless the URL is `https` or on loopback.
    public init(
        _ url: WebURL,
        transport: any HTTPTransport,
        time: any TimeSource,
        tls: TLSOptions = TLSOptions(),
        timeToLive: Duration = .seconds(600),
        outageTolerance: Duration = .seconds(86_400)
    ) throws(KeySetError) {
        guard url.isSecureOrLoopback else {
            throw KeySetError(.insecureURL, delivery: nil, "Keys are fetched over https only: change \(url).")
        }
        self.url = url
        self.transport = transport
        self.time = time
        self.tls = tls
        self.timeToLive = timeToLive
        timeToLiveInNanoseconds = timeToLive.clampedNanoseconds
        self.outageTolerance = outageTolerance
        budget = RefetchBudget(RefetchBudget.Settings(), at: time.now)
    }

    /// The keys, fetched if there are none or their time is over.
    public func keys() async throws -> JWKSet {
        if let fresh { return fresh.keys }
        return try await snapshot().keys
    }

    /// The keys at hand while their time to live lasts, without waiting for this actor; nil otherwise.
    nonisolated var fresh: Snapshot? {
        guard let published = published.withLock({ $0 }),
            time.nanoseconds(since: published.fetchedAt) < timeToLiveInNanoseconds
        else { return nil }
        return published.snapshot
    }

    private func publish(_ held: Held?) {
        let now = held.map { Published($0) }
        published.withLock { $0 = now }
    }

    func snapshot() async throws -> Snapshot {
        if let held, time.now.since(held.fetchedAt) < timeToLive { return held.snapshot }
        if !mayRetry { return try lastGood() }
        do {
            try await fetchTogether()
        } catch let error as CancellationError {
            throw error
        } catch {
            Trace.note("The keys could not be renewed: \(error)")
        }
        return try lastGood()
    }

    /// Fetches once more because of a doubt; nil when the bounds forbid it or nothing newer came.
    func snapshot(newerThan old: Snapshot, because doubt: Doubt) async throws -> Snapshot? {
        if let held, held.snapshot.version > old.version { return held.snapshot }
        if case .idle = state {
            guard mayRetry, budget.take(for: doubt, at: time.now) else { return nil }
        }
        do {
            try await fetchTogether()
        } catch let error as CancellationError {
            throw error
        } catch {
            return nil
        }
        guard let held, held.snapshot.version > old.version else {
            budget.remember(doubt, at: time.now)
            return nil
        }
        return held.snapshot
    }

    /// The set at hand, unless it has outlived the longest outage; else the reason why there is none.
    private func lastGood() throws -> Snapshot {
        if let held, time.now.since(held.fetchedAt) < timeToLive + outageTolerance { return held.snapshot }
        if let failure { throw failure.error }
        throw KeySetError(.unavailable, delivery: nil, "The issuer's keys at \(url) cannot be had; try again later.")
    }

    /// After a failure the next request waits: one second, then twice as long each time, at most a minute.
    private var mayRetry: Bool {
        guard let failure else { return true }
        return time.now.since(failure.at) >= .seconds(min(60, 1 << min(failure.count - 1, 6)))
    }
}

// MARK: - One request for all

extension RemoteJWKSet {
    private func fetchTogether() async throws {
        if case .idle = state {
            state = .fetching
            Task { await self.fetch() }
        }
        let id = nextWaiter
        nextWaiter += 1
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                if Task.isCancelled {
                    continuation.resume(throwing: CancellationError())
                } else {
                    waiters[id] = continuation
                }
            }
        } onCancel: {
            Task { await self.abandon(id) }
        }
    }

    private func abandon(_ id: Int) {
        waiters.removeValue(forKey: id)?.resume(throwing: CancellationError())
    }

    private func fetch() async {
        let result: Result<Void, any Error>
        do {
            try take(try await transport.send(request))
            failure = nil
            result = .success(())
        } catch {
            failure = (error, time.now, min((failure?.count ?? 0) + 1, 16))
            result = .failure(error)
        }
        state = .idle
        let waiting = waiters.values
        waiters = [:]
        for waiter in waiting { waiter.resume(with: result) }
    }

    private var request: HTTPRequest {
        var request = HTTPRequest(
            "GET",
            url,
            fields: [HTTPField("Accept", "application/jwk-set+json, application/json")]
        )
        request.deadline = .seconds(10)
        request.idleDeadline = .seconds(10)
        request.bodyLimit = 512 << 10
        request.mayResend = true
        request.redirects = .sameOrigin(atMost: 2)
        request.tls = tls
        return request
    }

    private func take(_ response: HTTPResponse) throws {
        guard response.status == 200 else {
            throw KeySetError(
                .unavailable,
                delivery: .answered,
                "The issuer's keys at \(url) cannot be had (status \(response.status)); try again later."
            )
        }
        guard response.body.count <= 512 << 10, let keys = try? JWKSet(parsing: response.body) else {
            throw KeySetError(
                .unreadable,
                delivery: .answered,
                "What \(url) answers is not a key set; check what is between you and the issuer, and try again."
            )
        }
        let previous = held
        guard let previous, previous.source == response.body else {
            // A secret that is published is none: with it anybody could sign.
            let snapshot = Snapshot(keys: keys.withoutSymmetricKeys, version: (previous?.snapshot.version ?? 0) + 1)
            held = Held(snapshot: snapshot, source: response.body, fetchedAt: response.receivedAt)
            budget.forget()
            return
        }
        held?.fetchedAt = response.receivedAt
    }
}
