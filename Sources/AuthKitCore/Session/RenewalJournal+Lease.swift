/// Leases that can expire are confirmed right before a one-time token goes out and kept alive until the renewal ends.
extension RenewalJournal {
    /// How long a lease that was lost is waited for, with an answer in hand.
    private static let retakePatience = Duration.seconds(5)

    /// Proves that the lease is ours, with more time where it can expire, and keeps it so from now on.
    func confirmLease() async throws {
        guard lease.fencingNumber != nil else { return try await lease.confirm() }
        try await lease.extend()
        keepLease()
    }

    /// The last look before a one-time token is sent: the save of the intent may have taken long.
    ///
    /// When that cannot be shown, nothing is sent and the intent is taken back if the store still takes our word.
    func confirmLeaseBeforeSending() async throws {
        do {
            try await lease.confirm()
        } catch {
            do {
                let now = session.time.now
                try await write(restoringIntent(in: entry.credential), due: schedule.due(entry.credential, at: now))
                sent = nil
            } catch let unwritten {
                Trace.note("The intent stays though nothing was sent: \(unwritten)")
            }
            throw error
        }
    }

    /// After a lease was lost with an answer in hand: takes it anew, so that the answer can be saved under it.
    ///
    /// Not getting it is told by the next save.
    func retakeLease() async {
        leaseKeeper?.cancel()
        leaseKeeper = nil
        do {
            let next = try await session.vault.lease(session.id, for: .refresh, waiting: Self.retakePatience)
            if ownsLease { await lease.release() }
            lease = next
            ownsLease = true
            keepLease()
        } catch {
            Trace.note("The lease that was lost could not be taken anew: \(error)")
        }
    }

    /// Stops keeping the lease, and gives back the one that was taken here.
    func letLeaseBe() async {
        leaseKeeper?.cancel()
        leaseKeeper = nil
        if ownsLease { await lease.release() }
        ownsLease = false
    }

    private func keepLease() {
        guard leaseKeeper == nil else { return }
        leaseKeeper = LeaseKeeper.keep(lease, time: session.time)
    }
}
