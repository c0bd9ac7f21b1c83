/// Is told each exchange and check of a flow, in order; nothing secret is ever in a step.
public protocol Tracer: Sendable {
    /// Takes one step.
    func record(_ step: TraceStep)
}
