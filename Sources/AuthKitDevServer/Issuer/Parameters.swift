import AuthKitCore
import LoopbackHTTP

/// The parameters of a request, each at most once.
struct Parameters: Sendable {
    private let values: [String: [String]]

    /// Takes decoded parameters; nil stands for a body that is no form.
    ///
    /// RFC 6749 §3.1: no parameter twice, except `resource` (RFC 8707 §2); one without a value counts as left out.
    init(_ pairs: [(name: String, value: String)]?) throws(OAuthProblem) {
        guard let pairs else {
            throw .invalidRequest("Send the parameters as application/x-www-form-urlencoded.")
        }
        let filled = Dictionary(grouping: pairs.filter { !$0.value.isEmpty }, by: \.name).mapValues { $0.map(\.value) }
        if let twice = filled.first(where: { $0.value.count > 1 && $0.key != "resource" }) {
            throw .invalidRequest("The parameter \(twice.key.prefix(40)) came more than once.")
        }
        values = filled
    }

    /// The value of a parameter.
    subscript(name: String) -> String? { values[name]?.first }

    /// All values of a parameter.
    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// The value of a parameter that must be there.
    func required(_ name: String) throws(OAuthProblem) -> String {
        guard let value = self[name] else { throw .invalidRequest("The parameter \(name) is missing.") }
        return value
    }
}
