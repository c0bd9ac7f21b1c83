import Dispatch

/// The serial executor of an actor that calls blocking C: its work never sits on the cooperative pool.
package final class BlockingExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// Makes an executor with a thread queue of its own, named for debuggers.
    package init(label: String) {
        queue = DispatchQueue(label: label)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    package func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
