internal import AuthKitCore

/// The address of the identity endpoint, from its base or as it is.
enum IdentityAddress {
    /// What is added to a base.
    static let path = "/oauth/token"

    /// Reads a base or a full address; throws `invalid_configuration`.
    static func url(_ text: String) throws(NianticError) -> WebURL {
        let given = try NianticConfiguration.address(text, "identity URL")
        guard given.query == nil else { throw .configuration("The identity URL must have no query.") }
        if given.path.hasSuffix(path) { return given }
        let base = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard let url = WebURL(base + path) else {
            throw .configuration("The identity URL cannot be used.")
        }
        return url
    }
}
