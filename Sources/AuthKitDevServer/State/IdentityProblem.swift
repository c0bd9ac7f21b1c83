/// A refusal in the words of the identity service: one text.
struct IdentityProblem: Error, Sendable {
    /// What statistics say of it.
    let outcome: String
    /// What is answered.
    let text: String
    /// The status; nil for that of what is worth nothing, which the options name.
    let status: Int?

    init(_ outcome: String, _ text: String, status: Int? = nil) {
        self.outcome = outcome
        self.text = text
        self.status = status
    }

    init(_ problem: OAuthProblem) {
        self.init("refused", problem.detail, status: problem.status)
    }
}
