extension Stopwatch {
    /// Times single calls of work that waits for a disk against those of a baseline, in turn, by the clock on the wall.
    ///
    /// The overhead, which goes into the note, is the median of the differences between neighbours: what a disk does
    /// from one moment to the next drops out of it.
    static func pair(
        _ name: String,
        with baselineName: String,
        rounds: Int,
        calls: Int = 1,
        note: String = "",
        _ work: Batch,
        baseline: Batch
    ) async throws -> Measurement {
        try await work(calls)
        try await baseline(calls)
        var (own, other): ([Double], [Double]) = ([], [])
        for round in 0..<rounds {
            if round.isMultiple(of: 2) {
                own.append(try await time(calls, work))
                other.append(try await time(calls, baseline))
            } else {
                other.append(try await time(calls, baseline))
                own.append(try await time(calls, work))
            }
        }
        var measurement = Measurement(name, rounds: own, iterations: rounds * calls, note: note)
        measurement.baseline = Measurement.Baseline(
            name: baselineName,
            median: other.median,
            ratio: zip(own, other).map { $0 / $1 }.median
        )
        let overhead = zip(own, other).map { $0 - $1 }.median
        measurement.add(note: "overhead \((overhead / 100).rounded() / 10) us")
        return measurement
    }
}
