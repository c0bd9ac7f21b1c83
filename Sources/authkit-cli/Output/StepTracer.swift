internal import AuthKitCore

/// Prints the steps of a flow to standard error, numbered.
final class StepTracer: Tracer {
    private let console: Console
    private let count = Guarded(0)

    /// Makes a tracer.
    init(console: Console) {
        self.console = console
    }

    func record(_ step: TraceStep) {
        let number = count.withLock { value in
            value += 1
            return value
        }
        switch step {
        case .exchange(let request, let answer, let duration):
            let milliseconds =
                duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
            let sent = request.map { "    > \($0)" }
            let received = answer.map { "    < \($0)" }
            console.insist((["[\(number)] exchange, \(milliseconds) ms"] + sent + received).joined(separator: "\n"))
        case .check(let subject, let passed, let clause):
            console.insist("[\(number)] check \(passed ? "passed" : "FAILED"): \(subject) (\(clause))")
        case .note(let text):
            console.insist("[\(number)] \(text)")
        }
    }
}
