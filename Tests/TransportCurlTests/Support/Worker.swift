import Glibc

/// Runs blocking work on a thread of its own, so that no test sits on the cooperative pool.
enum Worker {
    private final class Box: Sendable {
        let work: @Sendable () -> Void

        init(_ work: @escaping @Sendable () -> Void) {
            self.work = work
        }
    }

    static func start(_ work: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let context = unsafe Unmanaged.passRetained(Box(work)).toOpaque()
        let result = unsafe pthread_create(
            &thread,
            nil,
            { context in
                if let context = unsafe context {
                    unsafe Unmanaged<Box>.fromOpaque(context).takeRetainedValue().work()
                }
                return nil
            },
            context
        )
        precondition(result == 0, "a test needs a thread")
        pthread_detach(thread)
    }
}
