/// What the caller can do about a failure: the one question that every error answers.
public enum Remedy: Sendable, Hashable {
    /// It may pass: try again, not before the given time where the other side named one.
    case retry(after: Duration?)
    /// Only a person can help, by signing in.
    case signInAgain
    /// Only a change of configuration can help.
    case fixConfiguration
}
