internal import AuthKitCore

/// A code from a checked answer with all that redeems it.
///
/// Used once.
struct CodeGrant: ~Copyable {
    /// The code.
    let code: Secret
    /// The PKCE verifier of the request that brought it.
    let verifier: Secret
    /// The nonce that the ID token must carry; nil without `openid`.
    let nonce: Secret?
    /// The redirect URI as sent (RFC 6749 §4.1.3).
    let redirectURI: String
    /// The issuer that was asked.
    let metadata: ProviderMetadata

    /// The form of the token request.
    var form: [FormParameter] {
        [
            FormParameter("grant_type", "authorization_code"),
            FormParameter("code", secret: code),
            FormParameter("redirect_uri", redirectURI),
            FormParameter("code_verifier", secret: verifier),
        ]
    }
}
