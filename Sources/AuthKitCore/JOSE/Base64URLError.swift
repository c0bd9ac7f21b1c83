/// A text that is not canonical base64url.
package struct Base64URLError: Error, Sendable, CustomStringConvertible {
    /// The sentence; the text itself is not in it.
    package var description: String { "The text is not base64url without padding." }
}
