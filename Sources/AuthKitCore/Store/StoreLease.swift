/// A lease that is held until it is released, or until its holder dies.
public protocol StoreLease: Sendable {
    /// Counts the holders of leases that can expire, so that a late write can be fenced off; nil where a lease dies
    /// with its holder only.
    var fencingNumber: Int64? { get }

    /// Throws `StoreError.Code.leaseLost` when the lease is no longer ours.
    func confirm() async throws

    /// Asks for more time where leases can expire; throws `leaseLost` when it is too late.
    func extend() async throws

    /// Gives it back; releasing twice is nothing.
    func release() async
}
