/// One step of a flow.
public enum TraceStep: Sendable {
    /// A request and how it ended; lines are redacted already.
    case exchange(request: [String], answer: [String], duration: Duration)
    /// A check, whether it passed, and the clause that asks for it.
    case check(subject: String, passed: Bool, clause: String)
    /// Something worth knowing.
    case note(String)
}
