/// A lease from a queue; given back once, at the latest when the last reference goes.
final class QueuedLease: StoreLease {
    private let isHeld = Guarded(true)
    private let check: @Sendable () async throws -> Void
    private let giveBack: @Sendable () -> Void

    init(check: @escaping @Sendable () async throws -> Void, giveBack: @escaping @Sendable () -> Void) {
        self.check = check
        self.giveBack = giveBack
    }

    deinit { end() }

    /// Nil: the lease dies with its holder only.
    var fencingNumber: Int64? { nil }

    func confirm() async throws {
        guard isHeld.withLock({ $0 }) else {
            throw StoreError(.leaseLost, "The lease was given back already; take it again.")
        }
        try await check()
    }

    func extend() async throws { try await confirm() }

    func release() async { end() }

    private func end() {
        let wasHeld = isHeld.withLock { isHeld in
            defer { isHeld = false }
            return isHeld
        }
        if wasHeld { giveBack() }
    }
}
