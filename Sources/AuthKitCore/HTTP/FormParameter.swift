/// One parameter of a form body or query; knows whether its value may be shown.
public struct FormParameter: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The value, not encoded.
    public let value: String
    /// Whether traces and errors must not show the value.
    public let isSecret: Bool

    /// Makes a parameter whose value may be shown.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
        isSecret = false
    }

    /// Makes a parameter whose value is never shown.
    public init(_ name: String, secret value: Secret) {
        self.name = name
        self.value = value.reveal()
        isSecret = true
    }
}

extension FormParameter: CustomStringConvertible, CustomReflectable {
    /// `name=value`, redacted when it is secret.
    public var description: String { "\(name)=\(isSecret ? "<redacted>" : value)" }
    /// A mirror without the value, so that `dump` shows no secret.
    public var customMirror: Mirror { Mirror(self, children: ["parameter": description]) }
}
