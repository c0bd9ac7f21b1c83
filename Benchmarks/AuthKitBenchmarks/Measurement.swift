/// What one case came to, in the form that is written as JSON.
struct Measurement: Sendable {
    /// What a case was compared with.
    struct Baseline: Sendable {
        let name: String
        let median: Double
        /// The median of the rounds' ratios.
        let ratio: Double
    }

    let name: String
    /// Nanoseconds for one call: the median of the rounds.
    let median: Double
    let p90: Double
    let iterations: Int
    var baseline: Baseline?
    var note: String

    /// Takes the times of the rounds, in nanoseconds for one call.
    init(_ name: String, rounds: [Double], iterations: Int, note: String) {
        self.name = name
        median = rounds.median
        p90 = rounds.quantile(0.9)
        self.iterations = iterations
        self.note = note
    }
}

extension [Double] {
    /// The middle one.
    var median: Double { quantile(0.5) }

    /// The element below which that part of all lies.
    func quantile(_ part: Double) -> Double {
        isEmpty ? 0 : sorted()[Swift.min(count - 1, Int(Double(count) * part))]
    }
}
