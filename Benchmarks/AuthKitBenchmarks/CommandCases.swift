/// The command from start to end, against itself doing nothing and against a program that prints one line.
struct CommandCases {
    private static let rounds = 30

    let options: BenchmarkOptions
    let command: String
    let printOnly: String

    /// Runs the cases that are asked for; a profile `bench` must hold a fresh token.
    func run(into report: inout Report) throws {
        let names = ["cli.token", "cli.token.to-print-only", "cli.version"]
        guard names.contains(where: options.wants) else { return }
        let programs = [[command, "token", "bench"], [command, "--version"], [printOnly]]
        for _ in 0..<3 { for program in programs { _ = try ChildProcess.time(program) } }
        var times: [[Double]] = [[], [], []]
        for round in 0..<Self.rounds {
            for turn in 0..<3 {
                let program = (round + turn) % 3
                times[program].append(try ChildProcess.time(programs[program]))
            }
        }
        let pairs = [(0, 1, "authkit --version"), (0, 2, "a program that prints"), (1, 2, "a program that prints")]
        for (name, (own, other, baseline)) in zip(names, pairs) where options.wants(name) {
            var measured = Measurement(name, rounds: times[own], iterations: Self.rounds, note: "start to end")
            measured.baseline = Measurement.Baseline(
                name: baseline,
                median: times[other].median,
                ratio: zip(times[own], times[other]).map { $0 / $1 }.median
            )
            report.add(measured)
        }
    }
}
