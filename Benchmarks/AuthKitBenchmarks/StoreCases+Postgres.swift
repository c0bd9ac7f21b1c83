extension StoreCases {
    /// Renewals of 20,000 credentials that are claimed, done and saved in a PostgreSQL of its own, by one worker and by
    /// three; the issuer costs nothing.
    func runPostgres(into report: inout Report) throws {
        let name = "store.postgres.refresh"
        guard let program = options.postgres, options.wants("\(name).1") || options.wants("\(name).3") else { return }
        let count = 20_000
        let run = try ChildProcess([program, "measure", "--credentials", "\(count)"], isAsked: true)
        defer { run.end() }
        var single: Double?
        for workers in [1, 3] {
            let words = try run.readLine(waiting: 300).split(separator: " ").compactMap { Double($0) }
            guard words.count == 4, words[0] == Double(workers), words[1] > 0 else {
                throw BenchmarkError("The workers over PostgreSQL failed: run '\(program) rate'.")
            }
            let time = 1_000_000_000 / words[1]
            let busy = Int((words[2] * 100).rounded())
            let own = Int((words[2] * words[3] * 100).rounded())
            var measured = Measurement("\(name).\(workers)", rounds: [time], iterations: count, note: "")
            measured.add(note: "\(Int(words[1])) a second; the machine \(busy) % busy, the workers \(own) % of it all")
            if let single {
                // As with threads, the ratio is that of the throughputs: more is better.
                measured.baseline = Measurement.Baseline(name: "one worker", median: single, ratio: single / time)
            } else {
                single = time
            }
            report.add(measured)
        }
    }
}
