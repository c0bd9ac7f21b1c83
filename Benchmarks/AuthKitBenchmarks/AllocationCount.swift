import CBenchmark

/// The count of allocations on the calling thread, kept by the program's own malloc.
enum AllocationCount {
    /// The count so far; nil where malloc cannot be replaced.
    static var now: Int? {
        let count = benchmark_allocation_count()
        return count < 0 ? nil : count
    }
}
