internal import AuthKitCore

extension TokenFingerprint {
    /// The attribute that names, by such a word, what an access token was made from.
    static let sourceAttribute = "niantic.source"

    /// A word that tells the same secret again and reveals nothing of it.
    var word: String { Base64URL.encode(bytes) }
}
