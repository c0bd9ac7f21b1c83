/// The parameters of an authorization answer, from the query or a posted form, as they came: nothing is believed yet.
public struct RedirectAnswer: Sendable, CustomStringConvertible, CustomReflectable {
    /// Names and values in order, repeats included.
    public let parameters: [(name: String, value: String)]

    /// Takes parameters.
    public init(parameters: [(name: String, value: String)]) {
        self.parameters = parameters
    }

    /// The value of a parameter that came exactly once; nil otherwise (RFC 6749 §3.1: none may come twice).
    public func single(_ name: String) -> String? {
        let values = parameters.filter { $0.name == name }
        return values.count == 1 ? values[0].value : nil
    }

    /// Whether any parameter came more than once.
    public var hasRepeats: Bool { Set(parameters.map(\.name)).count != parameters.count }

    /// The names alone: values may be codes.
    public var description: String { "RedirectAnswer(\(parameters.map(\.name).joined(separator: ", ")))" }
    /// A mirror with the names alone.
    public var customMirror: Mirror { Mirror(self, children: ["names": parameters.map(\.name)]) }
}
