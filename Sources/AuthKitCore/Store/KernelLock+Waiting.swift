extension KernelLock {
    /// Takes a range, asking again and again with pauses; false when it is held so long.
    package func lock(
        _ range: KernelLockRange,
        within limit: Duration,
        time: any TimeSource
    ) async throws -> Bool {
        let deadline = Deadline(limit, from: time.now)
        while try !tryLock(range) {
            guard !deadline.hasPassed(at: time.now) else { return false }
            try await time.sleep(for: .milliseconds(Int.random(in: 2...10)))
        }
        return true
    }
}
