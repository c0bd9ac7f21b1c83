/// What a request carries.
public enum HTTPBody: Sendable, Hashable {
    /// Bytes of a media type, which traces may show.
    case bytes([UInt8], contentType: String)
    /// Bytes of a media type that no trace may show.
    case secretBytes([UInt8], contentType: String)
    /// `application/x-www-form-urlencoded`, in order.
    case form([FormParameter])
}
