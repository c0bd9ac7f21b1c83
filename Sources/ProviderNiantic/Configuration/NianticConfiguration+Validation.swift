internal import AuthKitCore

extension NianticConfiguration {
    /// Checks what can be checked without the network; throws `invalid_configuration` naming the setting.
    func validate() throws(NianticError) {
        _ = try IdentityAddress.url(identityURL)
        _ = try Self.address(signInURL, "sign-in URL")
        if let signOutURL { _ = try Self.address(signOutURL, "sign-out URL") }
        guard refresh.lead >= .zero, requestLimit > .zero else {
            throw .configuration("The lead must not be negative and the request limit must be positive.")
        }
        if let fault = assumptions.fault { throw .configuration(fault) }
        if redirectType.usesLoopback {
            let usable = loopbackRedirectURIs.allSatisfy { text in
                WebURL(text).map { $0.scheme == "http" && $0.isLoopback && $0.query == nil } ?? false
            }
            guard usable, !loopbackRedirectURIs.isEmpty else {
                throw .configuration(
                    "Each loopback redirect URI must be like http://127.0.0.1:0/login/success, and there must be one."
                )
            }
        } else {
            let known = allowedSchemes.sorted().joined(separator: ", ")
            guard CallbackAddress.isScheme(redirectType.name) else {
                throw .configuration(
                    "The redirect type \(redirectType) is no scheme that can be redirected to; take one of \(known)."
                )
            }
            guard allowedSchemes.contains(redirectType.name) else {
                throw .configuration(
                    "The redirect type \(redirectType) is not allowed; take one of \(known), or allow it explicitly."
                )
            }
        }
    }

    /// An address that may be asked: `https`, or `http` on loopback.
    static func address(_ text: String, _ name: String) throws(NianticError) -> WebURL {
        guard let url = WebURL(text), url.isSecureOrLoopback else {
            throw .configuration("The \(name) must be an https URL (http on loopback alone).")
        }
        return url
    }
}
