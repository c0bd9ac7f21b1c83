internal import Synchronization

/// A mutex around a value, whose handovers the thread sanitizer can see.
///
/// On Linux a contended `Mutex` is handed over by the kernel, inside a library that is not instrumented, so that the
/// sanitizer reports races that are none. The store at the end of each section and the load at the start of the next
/// order them for it; both are plain moves on the machines we build for.
package struct Guarded<Value: ~Copyable>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>
    private let handover = Atomic<UInt8>(0)

    /// Takes the value over.
    package init(_ value: consuming sending Value) {
        mutex = Mutex(value)
    }

    /// Runs a short synchronous section alone.
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ section: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock { value throws(Failure) -> sending Result in
            _ = handover.load(ordering: .acquiring)
            defer { handover.store(0, ordering: .releasing) }
            return try section(&value)
        }
    }

    /// Runs a section alone, unless another one runs at the moment: then nothing is run, and nobody waits.
    package borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
        _ section: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        try mutex.withLockIfAvailable { value throws(Failure) -> sending Result in
            _ = handover.load(ordering: .acquiring)
            defer { handover.store(0, ordering: .releasing) }
            return try section(&value)
        }
    }
}
