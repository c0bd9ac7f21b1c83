#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Times pieces of work in rounds: alone, or in turn with what they are compared with.
///
/// Work that only computes is timed by the processor time of this process, which other programs disturb less than
/// the clock on the wall; work that waits is timed by that clock.
enum Stopwatch {
    /// Does a piece of work so many times.
    typealias Batch = (Int) async throws -> Void

    /// How long each side of a round is timed, in nanoseconds.
    private static let slice = 2_000_000.0

    /// Times work against a baseline, in turn, who is first changing from round to round.
    ///
    /// What each allocates in one call goes into the note.
    static func compare(
        _ name: String,
        with baselineName: String,
        rounds: Int,
        note: String = "",
        _ work: Batch,
        baseline: Batch
    ) async throws -> Measurement {
        let counts = (try await fittingCount(work), try await fittingCount(baseline))
        var (own, other): ([Double], [Double]) = ([], [])
        for round in 0..<rounds {
            if round.isMultiple(of: 2) {
                own.append(try await processorTime(counts.0, work))
                other.append(try await processorTime(counts.1, baseline))
            } else {
                other.append(try await processorTime(counts.1, baseline))
                own.append(try await processorTime(counts.0, work))
            }
        }
        var measurement = Measurement(name, rounds: own, iterations: rounds * counts.0, note: note)
        measurement.baseline = Measurement.Baseline(
            name: baselineName,
            median: other.median,
            ratio: zip(own, other).map { $0 / $1 }.median
        )
        if let own = try await allocations(work), let other = try await allocations(baseline) {
            measurement.add(note: "allocations \(own), of the baseline \(other)")
        }
        return measurement
    }

    /// Times work that has nothing to be compared with.
    static func alone(
        _ name: String,
        rounds: Int,
        iterations: Int? = nil,
        note: String = "",
        _ work: Batch
    ) async throws -> Measurement {
        let count: Int
        if let iterations { count = iterations } else { count = try await fittingCount(work) }
        try await work(count)
        var times: [Double] = []
        for _ in 0..<rounds { times.append(try await time(count, work)) }
        return Measurement(name, rounds: times, iterations: rounds * count, note: note)
    }

    /// The processor time of one call in nanoseconds, of so many calls.
    private static func processorTime(_ count: Int, _ work: Batch) async throws -> Double {
        let start = clock()
        try await work(count)
        return (clock() - start) / Double(count)
    }

    /// The processor time that this process has used, in nanoseconds.
    static func clock() -> Double {
        var time = timespec()
        let result = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        precondition(result == 0, "every process has a clock")
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }

    /// The time of one call on the wall in nanoseconds, of so many calls.
    static func time(_ count: Int, _ work: Batch) async throws -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        try await work(count)
        return (clock.now - start).nanoseconds / Double(count)
    }

    /// How many calls fill a slice of time; warms up on the way.
    static func fittingCount(_ work: Batch, slice: Double = slice) async throws -> Int {
        var count = 1
        while true {
            let total = try await time(count, work) * Double(count)
            if total >= slice || count > 1 << 24 { return max(1, Int(Double(count) * slice / total)) }
            count *= 2
        }
    }

    /// How many blocks of memory one call asks for on this thread; nil where they cannot be counted.
    private static func allocations(_ work: Batch) async throws -> Int? {
        let count = 64
        guard let before = AllocationCount.now else { return nil }
        try await work(count)
        guard let after = AllocationCount.now else { return nil }
        return (after - before) / count
    }
}

extension Measurement {
    /// Adds to the note.
    mutating func add(note text: String) {
        note += note.isEmpty ? text : "; \(text)"
    }
}

extension Duration {
    /// As a floating-point number of nanoseconds.
    var nanoseconds: Double { Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9 }
}
