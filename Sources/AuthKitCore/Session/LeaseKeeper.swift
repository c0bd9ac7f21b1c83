/// Asks for more time for a lease that can expire, again and again, until it is told to stop.
enum LeaseKeeper {
    /// How often the store is asked; stores give a lease several times as long.
    private static let interval = Duration.seconds(5)

    /// Begins; nil for a lease that dies with its holder only.
    ///
    /// Cancel the task to end it; it also ends when the lease is lost, which the next save or confirmation tells.
    static func keep(_ lease: any StoreLease, time: any TimeSource) -> Task<Void, Never>? {
        guard lease.fencingNumber != nil else { return nil }
        return Task {
            while true {
                do {
                    try await time.sleep(for: interval)
                } catch {
                    return
                }
                do {
                    try await lease.extend()
                } catch let error as StoreError where error.code == .leaseLost {
                    return
                } catch {
                    Trace.note("A lease could not be extended: \(error)")  // Tried again in a moment.
                }
            }
        }
    }
}
