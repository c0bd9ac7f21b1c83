internal import AuthKitCore
internal import CCurl
internal import Synchronization
#if canImport(Glibc)
internal import Glibc
#else
internal import Musl
#endif

/// The thread that drives libcurl: it takes exchanges in and ends each exactly once.
final class TransferLoop: Sendable {
    /// What is the same for all transfers.
    struct Settings: Sendable {
        /// Reads the time at which an answer is whole.
        let time: any TimeSource
        /// Whom to trust where a request does not say.
        let trust: Trust
        /// The `User-Agent`.
        let product: String
    }

    /// How many transfers run at once.
    static let transferLimit = 256
    /// How many exchanges may wait for their turn.
    static let queueLimit = 10_000

    private struct Mailbox {
        var waiting: [Exchange] = []
        var hasAbandoned = false
        var isStopped = false
        var multi: MultiHandle?
    }

    private struct Work: Sendable {
        var starting: [Exchange]
        var overdue: [Exchange]
        var hasAbandoned: Bool
        var waitingCount: Int
    }

    private let settings: Settings
    private let mailbox = Guarded(Mailbox())
    /// The process the thread runs in, zero before it does: a child made by fork(2) has no such thread.
    private let process = Atomic<pid_t>(0)

    /// Makes a loop whose thread starts with the first exchange.
    init(_ settings: Settings) {
        self.settings = settings
    }

    /// Sends one request, without following redirects, and waits for the answer.
    func perform(_ request: HTTPRequest, until deadline: MonotonicTime) async throws -> HTTPResponse {
        try start()
        let exchange = Exchange(request, until: deadline)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { caller in
                guard exchange.begin(caller) else { return }
                if let refusal = submit(exchange) { exchange.end(.failure(refusal)) }
            }
        } onCancel: {
            exchange.end(.failure(CancellationError()))
            mailbox.withLock { mailbox in
                mailbox.hasAbandoned = true
                mailbox.multi?.wake()
            }
        }
    }

    /// Ends the thread, and with it every connection.
    func stop() {
        guard runsHere else { return }
        mailbox.withLock { mailbox in
            mailbox.isStopped = true
            mailbox.multi?.wake()
        }
    }

    private var runsHere: Bool {
        let process = process.load(ordering: .acquiring)
        return process == 0 || process == getpid()
    }

    private func submit(_ exchange: Exchange) -> TransportError? {
        mailbox.withLock { mailbox in
            guard mailbox.waiting.count < Self.queueLimit else {
                return TransportError(
                    .cannotConnect,
                    delivery: .notSent,
                    detail: "Too many requests wait already; try again when some have ended."
                )
            }
            mailbox.waiting.append(exchange)
            mailbox.multi?.wake()
            return nil
        }
    }

    // MARK: The thread

    private func start() throws(TransportError) {
        // Asked before the lock, which nobody can free in a child.
        guard runsHere else {
            throw TransportError(
                .unusable,
                delivery: .notSent,
                detail: "The process was forked after its first request; make a new transport in the child."
            )
        }
        let library = try CurlLibrary.shared.get()
        try mailbox.withLock { mailbox throws(TransportError) in
            guard mailbox.multi == nil else { return }
            let multi = try MultiHandle.make(library, idleConnections: 64)
            try spawn()
            mailbox.multi = multi
            process.store(getpid(), ordering: .releasing)
        }
    }

    private func spawn() throws(TransportError) {
        // The thread inherits the mask: no signal of the process is ever handled on it, and a broken connection is
        // an error rather than SIGPIPE, which CURLOPT_NOSIGNAL leaves to us.
        var all = sigset_t()
        var previous = sigset_t()
        let context = unsafe Unmanaged.passRetained(self)
        var thread = pthread_t()
        guard unsafe sigfillset(&all) == 0, unsafe pthread_sigmask(SIG_SETMASK, &all, &previous) == 0 else {
            unsafe context.release()
            throw Self.noThread
        }
        let result = unsafe pthread_create(
            &thread,
            nil,
            { context in
                if let context = unsafe context {
                    unsafe Unmanaged<TransferLoop>.fromOpaque(context).takeRetainedValue().run()
                }
                return nil
            },
            context.toOpaque()
        )
        let restored = unsafe pthread_sigmask(SIG_SETMASK, &previous, nil)
        precondition(restored == 0, "a mask that pthread_sigmask gave out is valid")
        guard result == 0 else {
            unsafe context.release()
            throw Self.noThread
        }
        // Nobody joins it; a thread that was just made can be detached.
        let detached = pthread_detach(thread)
        precondition(detached == 0, "a joinable thread can be detached")
    }

    private static var noThread: TransportError {
        TransportError(.unusable, delivery: .notSent, detail: "No thread could be made for HTTP; raise the limit.")
    }

    private func run() {
        // For debuggers only: a thread without its name works as well.
        _ = unsafe ak_curl_name_thread("authkit-http")
        if let multi = mailbox.withLock({ $0.multi }), let library = try? CurlLibrary.shared.get() {
            loop(TransferSet(multi, library: library, settings: settings), multi)
        }
        // From here on nobody else can reach the set, so that it is freed on this thread.
        mailbox.withLock { $0.multi = nil }
    }

    private func loop(_ transfers: TransferSet, _ multi: MultiHandle) {
        while let work = takeWork(room: Self.transferLimit - transfers.count) {
            for exchange in work.overdue { exchange.end(.failure(Self.waitedTooLong(exchange))) }
            if work.hasAbandoned { transfers.dropAbandoned() }
            for exchange in work.starting { transfers.start(exchange) }
            transfers.perform()
            let next = transfers.endOverdue()
            // Those who wait for their turn have deadlines too: looked at ten times a second.
            let hasRoom = work.waitingCount > 0 && transfers.count < Self.transferLimit
            let limit: Int32 = hasRoom ? 0 : work.waitingCount > 0 ? 100 : 60_000
            if !multi.wait(milliseconds: MonotonicTime.now.milliseconds(until: next, atMost: limit)) {
                transfers.endAll(code: CURLE_FAILED_INIT)
            }
        }
        transfers.endAll(code: CURLE_ABORTED_BY_CALLBACK)
    }

    /// What there is to do, or nil when the loop ends.
    private func takeWork(room: Int) -> Work? {
        let now = MonotonicTime.now
        return mailbox.withLock { mailbox -> Work? in
            guard !mailbox.isStopped else { return nil }
            defer { mailbox.hasAbandoned = false }
            if mailbox.hasAbandoned { mailbox.waiting.removeAll(where: \.isEnded) }
            let starting = Array(mailbox.waiting.prefix(room))
            mailbox.waiting.removeFirst(starting.count)
            let overdue = mailbox.waiting.filter { $0.deadline <= now }
            if !overdue.isEmpty { mailbox.waiting.removeAll { $0.deadline <= now } }
            return Work(
                starting: starting,
                overdue: overdue,
                hasAbandoned: mailbox.hasAbandoned,
                waitingCount: mailbox.waiting.count
            )
        }
    }

    private static func waitedTooLong(_ exchange: Exchange) -> TransportError {
        TransportError(
            .timedOut,
            delivery: .notSent,
            detail: "Too many requests ran at once for \(exchange.request.url.host) to have its turn; try again."
        )
    }
}
