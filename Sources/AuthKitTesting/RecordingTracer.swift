public import AuthKitCore

/// A tracer that keeps its steps for a test to look at.
public final class RecordingTracer: Tracer {
    private let kept = Guarded<[TraceStep]>([])

    /// Makes an empty one; set it with `Trace.$tracer.withValue(_:)`.
    public init() {}

    /// The steps so far, in order.
    public var steps: [TraceStep] { kept.withLock { $0 } }

    /// Everything recorded as lines of text: what a search for secrets looks through.
    public var lines: [String] {
        steps.flatMap { step in
            switch step {
            case .exchange(let request, let answer, _): request + answer
            case .check(let subject, let passed, let clause):
                ["\(subject): \(passed ? "passed" : "failed") (\(clause))"]
            case .note(let text): [text]
            }
        }
    }

    /// Keeps a step.
    public func record(_ step: TraceStep) {
        kept.withLock { $0.append(step) }
    }
}
