/// What a request carries.
public enum HTTPBody: Sendable, Hashable {
    /// Bytes of a media type, which traces may show.
    case bytes([UInt8], contentType: String)
    /// Bytes of a media type that no trace may show.
    case secretBytes([UInt8], contentType: String)
    /// `application/x-www-form-urlencoded`, in order.
    case form([FormParameter])
}

extension HTTPBody: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The media type with the size, or the names in the form; never what is in it.
    public var description: String {
        switch self {
        case .bytes(let bytes, let contentType), .secretBytes(let bytes, let contentType):
            "\(contentType): \(bytes.count) bytes"
        case .form(let parameters): "form: \(parameters.map(\.name).joined(separator: ", "))"
        }
    }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// A mirror without children, so that `dump` shows no contents.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
