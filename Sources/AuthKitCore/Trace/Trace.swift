/// Where steps go: set for a flow, inherited by its tasks.
public enum Trace: Sendable {
    /// The tracer of the current flow.
    @TaskLocal public static var tracer: (any Tracer)?

    /// Reports a check that was made: what, how it went, and by which clause.
    public static func check(_ subject: String, passed: Bool, clause: String) {
        tracer?.record(.check(subject: subject, passed: passed, clause: clause))
    }

    /// Reports something worth knowing.
    public static func note(_ text: @autoclosure () -> String) {
        guard let tracer else { return }
        tracer.record(.note(text()))
    }
}
