/// One header field; a request or response keeps them in order, repeats included.
public struct HTTPField: Sendable, Hashable {
    /// The name as written; compared without case.
    public let name: String
    /// The value.
    public let value: String
    /// Whether traces and errors must not show the value.
    public let isSecret: Bool

    /// Makes a field whose value may be shown.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
        isSecret = false
    }

    /// Makes a field whose value is never shown.
    public init(_ name: String, secret value: Secret) {
        self.name = name
        self.value = value.reveal()
        isSecret = true
    }
}

extension HTTPField: CustomStringConvertible, CustomReflectable {
    /// The field as a line, redacted when it is secret.
    public var description: String { "\(name): \(isSecret ? "<redacted>" : value)" }
    /// A mirror without the value, so that `dump` shows no secret.
    public var customMirror: Mirror { Mirror(self, children: ["line": description]) }
}

extension [HTTPField] {
    /// The value of the first field of a name, compared without case.
    public func first(named name: String) -> String? {
        first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The values of all fields of a name, in order.
    public func all(named name: String) -> [String] {
        filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }
}
