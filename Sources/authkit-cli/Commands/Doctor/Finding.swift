internal import AuthKitCore

/// What a check of `doctor` found.
struct Finding: Sendable, Hashable {
    /// How it looks.
    enum Verdict: String, Sendable, Hashable {
        /// As it should be.
        case fine = "ok"
        /// Works, but something should be known.
        case notable = "warning"
        /// Stands in the way.
        case broken
    }

    /// What was checked.
    let subject: String
    /// How it looks.
    let verdict: Verdict
    /// One sentence; for what is broken it says how to mend it.
    let sentence: String

    /// Makes a finding.
    init(_ subject: String, _ verdict: Verdict, _ sentence: String) {
        self.subject = subject
        self.verdict = verdict
        self.sentence = sentence
    }

    /// A line for people.
    var text: String {
        let mark = verdict.rawValue + String(repeating: " ", count: 9 - verdict.rawValue.count)
        let name = subject + String(repeating: " ", count: max(1, 15 - subject.count))
        return SafeText.tamed("\(mark)\(name)\(sentence)") + "\n"
    }

    /// The JSON object.
    var document: JSONObject {
        ["name": .string(subject), "state": .string(verdict.rawValue), "message": .string(sentence)]
    }
}
