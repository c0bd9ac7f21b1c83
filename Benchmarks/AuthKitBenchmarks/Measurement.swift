/// What one case came to, in the form that is written as JSON.
struct Measurement: Sendable {
    let name: String
    let median: Duration
    let p90: Duration
    let iterations: Int
    let note: String

    /// Runs a piece of work in rounds, after one round to warm up; the times are per call.
    ///
    /// Set-up belongs outside `work`.
    static func take(
        _ name: String,
        rounds: Int = 15,
        iterations: Int,
        note: String,
        work: () async throws -> Void
    ) async throws -> Measurement {
        var times: [Duration] = []
        for round in 0...rounds {
            let clock = ContinuousClock()
            let start = clock.now
            for _ in 0..<iterations { try await work() }
            if round > 0 { times.append((clock.now - start) / iterations) }
        }
        times.sort()
        return Measurement(
            name: name,
            median: times[times.count / 2],
            p90: times[times.count * 9 / 10],
            iterations: rounds * iterations,
            note: note
        )
    }
}
