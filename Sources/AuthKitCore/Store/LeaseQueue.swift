#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Hands out leases: first come, first served within the process, then a kernel lock against other processes.
///
/// Waiting is suspension, never a blocked thread, and sits on no store's executor. Who is first in the process asks the
/// kernel again and again, 2 ms apart at first and 25 ms in the end, with jitter; between processes there is no order.
package final class LeaseQueue: Sendable {
    private struct Slot: Hashable {
        let key: RecordKey
        let purpose: LeasePurpose
    }

    private enum Outcome {
        case turn, expired, cancelled
    }

    private struct Waiter {
        let ticket: Int
        let continuation: CheckedContinuation<Outcome, Never>
        let timer: Task<Void, Never>

        func end(_ outcome: Outcome) {
            timer.cancel()
            continuation.resume(returning: outcome)
        }
    }

    private struct State {
        var nextTicket = 0
        /// The slots that are held, each with those who wait, in order of arrival.
        var lines: [Slot: [Waiter]] = [:]
    }

    private static let firstPause: Duration = .milliseconds(2)
    private static let longestPause: Duration = .milliseconds(25)

    private let state = Guarded(State())
    private let lock: KernelLock?
    private let time: any TimeSource
    private let process = getpid()

    /// Makes a queue; without a lock its leases hold within this process only.
    package init(lock: KernelLock? = nil, time: any TimeSource) {
        self.lock = lock
        self.time = time
    }

    /// Takes the lease of a key for a purpose, waiting so long at most.
    ///
    /// Throws `StoreError.Code.busy` when the wait ends and `CancellationError` as soon as the task is cancelled.
    package func lease(
        _ key: RecordKey,
        for purpose: LeasePurpose,
        waiting: Duration
    ) async throws -> any StoreLease {
        let slot = Slot(key: key, purpose: purpose)
        let deadline = Deadline(waiting, from: time.now)
        try await takeTurn(slot, waiting: waiting)
        do {
            try await lockAgainstOthers(slot, until: deadline)
        } catch {
            passOn(slot)
            throw error
        }
        return QueuedLease(check: { [self] in try await confirm() }, giveBack: { [self] in giveBack(slot) })
    }

    // MARK: Within the process

    private func takeTurn(_ slot: Slot, waiting: Duration) async throws {
        try Task.checkCancellation()
        let ticket: Int? = state.withLock { state in
            guard state.lines[slot] != nil else {
                state.lines[slot] = []
                return nil
            }
            state.nextTicket += 1
            return state.nextTicket
        }
        guard let ticket else { return }
        guard waiting > .zero else { throw Self.busy(slot.purpose, holder: "Another task of this process") }
        switch await wait(in: slot, ticket: ticket, for: waiting) {
        case .turn: return
        case .cancelled: throw CancellationError()
        case .expired: throw Self.busy(slot.purpose, holder: "Another task of this process")
        }
    }

    private func wait(in slot: Slot, ticket: Int, for duration: Duration) async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome: Outcome? = state.withLock { state in
                    // The flag is set before handlers run: whoever is not seen here is found by the handler below.
                    if Task.isCancelled { return .cancelled }
                    guard state.lines[slot] != nil else {
                        state.lines[slot] = []
                        return .turn
                    }
                    // Started under the lock: it finds the waiter in its line, however soon it ends.
                    let timer = Task { await expire(slot, ticket: ticket, after: duration) }
                    state.lines[slot]?.append(Waiter(ticket: ticket, continuation: continuation, timer: timer))
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            leave(slot, ticket: ticket, as: .cancelled)
        }
    }

    private func expire(_ slot: Slot, ticket: Int, after duration: Duration) async {
        // An early end is a cancellation: the wait is over already.
        guard (try? await time.sleep(for: duration)) != nil else { return }
        leave(slot, ticket: ticket, as: .expired)
    }

    /// Takes a waiter out of the line, unless its turn has come meanwhile: then it has the turn and gives it on.
    private func leave(_ slot: Slot, ticket: Int, as outcome: Outcome) {
        let waiter: Waiter? = state.withLock { state in
            guard let index = state.lines[slot]?.firstIndex(where: { $0.ticket == ticket }) else { return nil }
            return state.lines[slot]?.remove(at: index)
        }
        waiter?.end(outcome)
    }

    private func passOn(_ slot: Slot) {
        let next: Waiter? = state.withLock { state in
            guard let line = state.lines[slot], !line.isEmpty else {
                state.lines[slot] = nil
                return nil
            }
            return state.lines[slot]?.removeFirst()
        }
        next?.end(.turn)
    }

    // MARK: Against other processes

    private func lockAgainstOthers(_ slot: Slot, until deadline: Deadline) async throws {
        try Task.checkCancellation()
        guard let lock else { return }
        let range = KernelLockRange(slot.key, slot.purpose)
        var pause = Self.firstPause
        while try !lock.tryLock(range) {
            let left = deadline.remaining(at: time.now)
            guard left > .zero else { throw Self.busy(slot.purpose, holder: "Another process") }
            try await time.sleep(for: min(left, pause * Double.random(in: 0.5...1)))
            pause = min(pause * 1.5, Self.longestPause)
        }
    }

    private func confirm() async throws {
        guard process == getpid(), try lock?.isInPlace() ?? true else {
            throw StoreError(.leaseLost, "The lease was lost; start again.")
        }
    }

    private func giveBack(_ slot: Slot) {
        // A forked child shares the lock with its parent and must not give it back for it.
        guard process == getpid() else { return }
        do {
            try lock?.unlock(KernelLockRange(slot.key, slot.purpose))
        } catch {
            // The lock dies with the process at the latest; until then others of this process may have it.
            Trace.note("giving a lease back failed: \(error)")
        }
        passOn(slot)
    }

    private static func busy(_ purpose: LeasePurpose, holder: String) -> StoreError {
        let deed =
            switch purpose {
            case .refresh: "is renewing these tokens"
            case .signIn: "is signing in"
            case .maintenance: "is changing the keys of this store"
            }
        return StoreError(.busy, "\(holder) \(deed); try again when it has finished.")
    }
}
